package io.cadastre.wire.book;

import java.time.Duration;

/// A duration as kubectl shows the age of an object: in one or two units, the rest cut off.
final class HumanDuration {

    private static final long DAYS_OF_YEAR = 365;

    private HumanDuration() {}

    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        long minutes = duration.toMinutes();
        long hours = duration.toHours();
        long days = duration.toDays();
        long years = days / DAYS_OF_YEAR;
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (hours < 3) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (years < 2) {
            return days + "d";
        }
        return years < 8 ? two(years, "y", days % DAYS_OF_YEAR, "d") : years + "y";
    }

    private static String two(long great, String greatUnit, long small, String smallUnit) {
        return small == 0 ? great + greatUnit : great + greatUnit + small + smallUnit;
    }
}
