package io.cadastre.wire.spiderpool.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.GoStruct;
import io.cadastre.wire.json.GoStruct.Spelling;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// How a cluster's Spiderpool is set: by the `conf.yml` of its ConfigMap, and by the environment of its agent.
///
/// @param on the switches that are on; one family is among them
/// @param redundantAddresses how many addresses more than pods a pool of an application has
/// @param socket where Spiderpool's plugin looks for its agent
/// @param variables those that are set, each with a value that it can have
public record SpiderpoolSettings(
        Set<SpiderpoolSwitch> on, int redundantAddresses, String socket, Map<AgentVariable, String> variables) {

    private static final String SOCKET_KEY = "ipamUnixSocketPath";
    private static final String SOCKET = "/var/run/spidernet/spiderpool.sock";

    /// The key that Spiderpool reads, before the one that its chart writes.
    private static final List<String> REDUNDANT_KEYS =
            List.of("clusterSubnetAutoPoolDefaultRedundantIPNumber", "clusterSubnetDefaultFlexibleIPNumber");

    /// Keys for other parts of Spiderpool. What they have is not read.
    private static final List<String> FOREIGN_KEYS =
            List.of("tuneSysctlConfig", "podResourceInject", "agent", "iaasNetworkProvider");

    private static final GoStruct CONF = GoStruct.of(Stream.of(
                    Arrays.stream(SpiderpoolSwitch.values())
                            .map(SpiderpoolSwitch::key)
                            .toList(),
                    REDUNDANT_KEYS,
                    List.of(SOCKET_KEY),
                    FOREIGN_KEYS)
            .flatMap(List::stream)
            .toArray(String[]::new));

    public SpiderpoolSettings {
        on = Collections.unmodifiableSet(copy(on));
        var all = new EnumMap<AgentVariable, String>(AgentVariable.class);
        all.putAll(variables);
        variables = Collections.unmodifiableMap(all);
    }

    private static Set<SpiderpoolSwitch> copy(Set<SpiderpoolSwitch> on) {
        if (!on.contains(SpiderpoolSwitch.IPV4) && !on.contains(SpiderpoolSwitch.IPV6)) {
            throw new InvalidSettingException("enableIPv4 and enableIPv6 are both false; one of them must be true");
        }
        return EnumSet.copyOf(on);
    }

    /// Where there is no `conf.yml`.
    ///
    /// @throws InvalidSettingException if a variable has a value that it cannot have
    public static SpiderpoolSettings of(Map<String, String> environment) {
        return of("conf.yml", Json.emptyObject(), environment);
    }

    /// By a `conf.yml`.
    ///
    /// @param file its name, for errors
    /// @throws InvalidSettingException if a setting has a value that it cannot have, or is unknown
    public static SpiderpoolSettings of(String file, ObjectNode conf, Map<String, String> environment) {
        var unknown = CONF.unknown(conf, Spelling.EXACT);
        if (!unknown.isEmpty()) {
            throw new InvalidSettingException("%s: unknown key '%s'%s"
                    .formatted(
                            file, unknown.getFirst().path(), unknown.getFirst().hint()));
        }
        try {
            var reader = new Fields(file);
            return new SpiderpoolSettings(
                    switches(reader, conf), redundant(reader, conf), socket(reader, conf), variables(environment));
        } catch (UnreadableDocumentException unreadable) {
            throw new InvalidSettingException(file + ": " + unreadable.fault());
        }
    }

    private static Set<SpiderpoolSwitch> switches(Fields reader, ObjectNode conf) {
        var on = EnumSet.noneOf(SpiderpoolSwitch.class);
        for (var one : SpiderpoolSwitch.values()) {
            if (Fields.absent(conf.path(one.key())) ? one.initial() : reader.flag(conf, one.key())) {
                on.add(one);
            }
        }
        return on;
    }

    private static int redundant(Fields reader, ObjectNode conf) {
        for (var key : REDUNDANT_KEYS) {
            if (!Fields.absent(conf.path(key))) {
                int number = reader.integer(conf.path(key), key);
                if (number < 0) {
                    throw reader.wrong(key, "a whole number from 0 on");
                }
                return number;
            }
        }
        return 0;
    }

    private static String socket(Fields reader, ObjectNode conf) {
        var socket = reader.text(conf, SOCKET_KEY);
        if (!socket.isEmpty() && !socket.startsWith("/")) {
            throw reader.wrong(SOCKET_KEY, "a path that begins with '/'");
        }
        return socket.isEmpty() ? SOCKET : socket;
    }

    private static Map<AgentVariable, String> variables(Map<String, String> environment) {
        var variables = new EnumMap<AgentVariable, String>(AgentVariable.class);
        for (var variable : AgentVariable.values()) {
            var given = environment.getOrDefault(variable.variable(), "");
            if (!given.isEmpty()) {
                variable.check(given);
                variables.put(variable, given);
            }
        }
        return variables;
    }

    public boolean has(SpiderpoolSwitch one) {
        return on.contains(one);
    }

    /// Those of which addresses are given at all.
    public List<Family> families() {
        var families = new ArrayList<Family>();
        if (has(SpiderpoolSwitch.IPV4)) {
            families.add(Family.IPV4);
        }
        if (has(SpiderpoolSwitch.IPV6)) {
            families.add(Family.IPV6);
        }
        return List.copyOf(families);
    }

    /// Whether the environment has it.
    public boolean isSet(AgentVariable variable) {
        return variables.containsKey(variable);
    }

    public String text(AgentVariable variable) {
        return variables.getOrDefault(variable, variable.initial());
    }

    public int number(AgentVariable variable) {
        return Integer.parseInt(text(variable));
    }

    public boolean flag(AgentVariable variable) {
        return AgentVariable.flag(text(variable));
    }

    /// How long an agent waits between two looks for the pool of an application.
    public Duration subnetWait() {
        return Duration.ofSeconds(number(AgentVariable.SUBNET_WAIT_SECONDS));
    }
}
