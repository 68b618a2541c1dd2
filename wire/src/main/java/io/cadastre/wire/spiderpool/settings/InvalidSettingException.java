package io.cadastre.wire.spiderpool.settings;

/// A setting has a value that it cannot have. The message names the setting, the value and the rule.
public final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    InvalidSettingException(String sentence) {
        super(sentence);
    }
}
