package io.cadastre.wire.spiderpool.settings;

import io.cadastre.wire.kubernetes.NodeName;
import io.cadastre.wire.spiderpool.LogLevel;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// An environment variable of Spiderpool's agent. One that is empty counts as one that is not set.
public enum AgentVariable {

    /// The namespace in which Spiderpool is installed.
    POD_NAMESPACE("SPIDERPOOL_POD_NAMESPACE", "kube-system", ValueRule.NAMESPACE),
    POD_NAME("SPIDERPOOL_POD_NAME", "", ValueRule.NAME),
    NODE_NAME("SPIDERPOOL_NODE_NAME", "", ValueRule.NAME),
    HEALTH_PORT("SPIDERPOOL_HEALTH_PORT", "5710", ValueRule.PORT),
    METRIC_PORT("SPIDERPOOL_METRIC_HTTP_PORT", "5711", ValueRule.PORT),
    GOPS_PORT("SPIDERPOOL_GOPS_LISTEN_PORT", "5712", ValueRule.PORT),
    LOG_LEVEL("SPIDERPOOL_LOG_LEVEL", "info", ValueRule.LEVEL),
    METRIC("SPIDERPOOL_ENABLED_METRIC", "false", ValueRule.FLAG),
    DEBUG_METRIC("SPIDERPOOL_ENABLED_DEBUG_METRIC", "false", ValueRule.FLAG),
    RELEASE_CONFLICT_IPS("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", "true", ValueRule.FLAG),

    /// How many records a pool may have.
    RECORDS_MAX("SPIDERPOOL_IPPOOL_MAX_ALLOCATED_IPS", "5000", ValueRule.POSITIVE),
    SUBNET_WAIT_SECONDS("SPIDERPOOL_WAIT_SUBNET_POOL_TIME_IN_SECOND", "2", ValueRule.POSITIVE),
    SUBNET_TRIES_MAX("SPIDERPOOL_WAIT_SUBNET_POOL_MAX_RETRIES", "25", ValueRule.POSITIVE),
    CLUSTER_NETWORK("MULTUS_CLUSTER_NETWORK", "", ValueRule.NETWORK);

    /// What a value must be.
    enum ValueRule {
        NAMESPACE("a namespace: lower case letters, digits and '-', at most 63"),
        NAME("a name: lower case letters, digits, '-' and '.'"),
        PORT("a port from 1 to 65535"),
        POSITIVE("a whole number from 1 to 2147483647"),
        FLAG("one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False"),
        LEVEL("one of debug, info, warn, error, fatal, panic"),
        NETWORK("a network as NAME or NAMESPACE/NAME");

        private final String words;

        ValueRule(String words) {
            this.words = words;
        }

        private boolean allows(String text) {
            return switch (this) {
                case NAMESPACE -> namespace(text);
                case NAME -> NodeName.fault(text).isEmpty();
                case PORT -> between(text, PORT_MAX);
                case POSITIVE -> between(text, Integer.MAX_VALUE);
                case FLAG -> TRUE.contains(text) || FALSE.contains(text);
                case LEVEL ->
                    Arrays.stream(LogLevel.values())
                            .anyMatch(level -> level.name().equalsIgnoreCase(text));
                case NETWORK -> network(text);
            };
        }
    }

    private static final int PORT_MAX = 65_535;

    /// The texts that Go's `strconv.ParseBool` takes.
    private static final List<String> TRUE = List.of("1", "t", "T", "true", "TRUE", "True");

    private static final List<String> FALSE = List.of("0", "f", "F", "false", "FALSE", "False");

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static boolean between(String text, int max) {
        try {
            int number = Integer.parseInt(text);
            return number >= 1 && number <= max;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static boolean namespace(String text) {
        return LABEL.matcher(text).matches();
    }

    private static boolean network(String text) {
        int slash = text.indexOf('/');
        return (slash < 0 || namespace(text.substring(0, slash)))
                && NodeName.fault(text.substring(slash + 1)).isEmpty();
    }

    private final String variable;
    private final String initial;
    private final ValueRule rule;

    AgentVariable(String variable, String initial, ValueRule rule) {
        this.variable = variable;
        this.initial = initial;
        this.rule = rule;
    }

    /// Its name in the environment.
    public String variable() {
        return variable;
    }

    String initial() {
        return initial;
    }

    void check(String text) {
        if (!rule.allows(text)) {
            throw new InvalidSettingException("%s is '%s'; it must be %s".formatted(variable, text, rule.words));
        }
    }

    static boolean flag(String text) {
        return TRUE.contains(text);
    }
}
