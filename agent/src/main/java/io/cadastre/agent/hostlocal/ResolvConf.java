package io.cadastre.agent.hostlocal;

import io.cadastre.wire.cni.CniDns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A file that says how names are resolved, in the form of `/etc/resolv.conf`.
final class ResolvConf {

    private static final int BYTES_MAX = 1 << 20;

    private static final Pattern SPACES = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);

    private ResolvConf() {}

    /// @throws IOException if it cannot be read
    static CniDns load(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException("%s is larger than %d bytes".formatted(file, BYTES_MAX));
            }
            return parse(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /// Repeated lines add up, except the domain, of which the last one counts. Unknown
    /// words and lines of one word are passed over.
    static CniDns parse(String text) {
        var nameservers = new ArrayList<String>();
        var domain = "";
        var search = new ArrayList<String>();
        var options = new ArrayList<String>();
        for (var line : text.split("\n", -1)) {
            var fields = fields(line);
            if (fields.size() < 2) {
                continue;
            }
            switch (fields.getFirst()) {
                case "nameserver" -> nameservers.add(fields.get(1));
                case "domain" -> domain = fields.get(1);
                case "search" -> search.addAll(fields.subList(1, fields.size()));
                case "options" -> options.addAll(fields.subList(1, fields.size()));
                default -> {}
            }
        }
        return new CniDns(nameservers, domain, search, options);
    }

    /// None if the line is a comment.
    private static List<String> fields(String line) {
        var fields =
                SPACES.splitAsStream(line).filter(field -> !field.isEmpty()).toList();
        boolean comment = !fields.isEmpty()
                && (fields.getFirst().startsWith("#") || fields.getFirst().startsWith(";"));
        return comment ? List.of() : fields;
    }
}
