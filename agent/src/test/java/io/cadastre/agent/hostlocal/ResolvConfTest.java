package io.cadastre.agent.hostlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.wire.cni.CniDns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResolvConfTest {

    @Test
    void repeatedLinesAddUpExceptTheDomain() {
        var dns = ResolvConf.parse("""
            # a comment
            ; another
              nameserver 192.0.2.1 ignored
            nameserver\t192.0.2.2
            domain one.example
            domain two.example
            search a.example b.example
            search c.example
            options four
            options five six\r
            """);

        assertThat(dns)
                .isEqualTo(new CniDns(
                        List.of("192.0.2.1", "192.0.2.2"),
                        "two.example",
                        List.of("a.example", "b.example", "c.example"),
                        List.of("four", "five", "six")));
    }

    @Test
    void linesOfOneWordAndUnknownWordsArePassedOver() {
        var dns = ResolvConf.parse("""
            nameserver
            sortlist 130.155.160.0
            Nameserver 192.0.2.1

            #nameserver 192.0.2.2
            search
            """);

        assertThat(dns).isEqualTo(CniDns.NONE);
    }

    @Test
    void fileWithoutEndIsRefused(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("big"), "#".repeat((1 << 20) + 1));

        assertThatThrownBy(() -> ResolvConf.load(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than");
    }
}
