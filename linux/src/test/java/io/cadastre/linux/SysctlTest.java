package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SysctlTest {

    private static final String FORWARDING = "net/ipv4/ip_forward";

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final Namespace namespace = namespaces.namespace();
    private final Sysctl sysctl = new Sysctl(namespace);

    @Test
    void settingIsWrittenInsideTheNamespaceOnly() {
        var elsewhere = new Sysctl(namespaces.namespace());
        sysctl.write(FORWARDING, "1");
        elsewhere.write(FORWARDING, "0");

        assertThat(sysctl.read(FORWARDING)).isEqualTo("1");
        assertThat(elsewhere.read(FORWARDING)).isEqualTo("0");
    }

    @Test
    void interfaceNameWithDotsIsSafe() {
        namespaces.netlink(namespace).links().createVeth(VethEnd.named("eth0.100"), VethEnd.named("eth0"), namespace);

        sysctl.write("net/ipv4/conf/eth0.100/proxy_arp", "1");

        assertThat(sysctl.read("net/ipv4/conf/eth0.100/proxy_arp")).isEqualTo("1");
        assertThat(sysctl.read("net/ipv4/conf/eth0/proxy_arp")).isEqualTo("0");
    }

    @Test
    void severalAreWrittenInOrderUntilOneFails() {
        var values = new LinkedHashMap<String, String>();
        values.put(FORWARDING, "1");
        values.put("net/ipv4/no_such_setting", "1");
        values.put("net/ipv6/conf/all/forwarding", "1");

        var failure = catchThrowableOfType(LinuxException.class, () -> sysctl.writeAll(values));

        assertThat(failure)
                .hasMessage("write \"1\" to /proc/sys/net/ipv4/no_such_setting: no such file or" + " directory");
        assertThat(sysctl.read(FORWARDING)).isEqualTo("1");
        assertThat(sysctl.read("net/ipv6/conf/all/forwarding")).isEqualTo("0");
    }

    @Test
    void missingSettingIsATypedError() {
        var failure = catchThrowableOfType(LinuxException.class, () -> sysctl.read("net/ipv4/conf/eth7/forwarding"));

        assertThat(failure.errno()).isEqualTo(Errno.ENOENT);
    }

    @Test
    void valueThatTheKernelDoesNotWantIsATypedError() {
        var failure = catchThrowableOfType(LinuxException.class, () -> sysctl.write(FORWARDING, "many"));

        assertThat(failure.errno()).isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/net/ipv4/ip_forward", "net//ipv4", "../../etc/passwd", "net/./x"})
    void nameThatLeadsElsewhereIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> sysctl.read(name));
        assertThatIllegalArgumentException().isThrownBy(() -> sysctl.write(name, "1"));
    }
}
