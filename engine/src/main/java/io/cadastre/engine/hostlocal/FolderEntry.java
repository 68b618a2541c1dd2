package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;
import java.util.Optional;

/// A file in the folder of a network.
///
/// @param path where it lies in the folder: its name, after those of the folders it lies in
/// @param content without spaces around it, which do not count
public record FolderEntry(String path, String content) {

    public FolderEntry {
        content = trimmed(content);
    }

    static FolderEntry of(Address address, HostLocalAttachment holder) {
        return new FolderEntry(address.toString(), holder.words());
    }

    /// The address that the file is called by, wherever it lies.
    public Optional<Address> address() {
        return addressOf(path.substring(path.lastIndexOf('/') + 1));
    }

    /// Whether it keeps its address from being given: it lies in the folder itself.
    public boolean reserves() {
        return path.indexOf('/') < 0 && address().isPresent();
    }

    boolean names(HostLocalAttachment attachment) {
        return content.equals(attachment.words());
    }

    boolean namesOnly(String containerId) {
        return content.equals(containerId);
    }

    /// The container and maybe the interface. Files that were edited by hand may have other line
    /// breaks.
    public List<String> lines() {
        return content.lines().map(FolderEntry::trimmed).toList();
    }

    /// On one line, whatever the file contains.
    @Override
    public String toString() {
        return "%s of %s".formatted(path, String.join("/", lines())).replaceAll("\\p{Cntrl}", "?");
    }

    /// Reads the name of a file as Go reads an address: an IPv4-mapped one is the IPv4 address.
    public static Optional<Address> addressOf(String name) {
        // Most other names are recognised without the cost of an exception.
        if (name.isEmpty() || "0123456789abcdefABCDEF:".indexOf(name.charAt(0)) < 0) {
            return Optional.empty();
        }
        try {
            var address = Address.parse(name);
            return Optional.of(address.ipv4Mapped() ? Address.ipv4((int) address.low()) : address);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The text without what Unicode calls white space at its ends.
    static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /// [Character#isWhitespace(char)] leaves out spaces that do not break and takes in separators of
    /// files and records.
    private static boolean isSpace(char letter) {
        return Character.isSpaceChar(letter) || (letter >= '\t' && letter <= '\r') || letter == '\u0085';
    }
}
