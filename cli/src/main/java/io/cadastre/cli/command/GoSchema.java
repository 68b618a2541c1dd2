package io.cadastre.cli.command;

import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/// Which plain words the YAML readers of Go do not take for texts.
///
/// They follow YAML 1.1 in parts, so a node named `on` must be printed in quotes or kubectl would read a
/// boolean; the same goes for times and for numbers written in base 8 or 60.
final class GoSchema implements Schema {

    private static final Pattern NOT_A_TEXT = Pattern.compile(
            "y|n|yes|no|on|off|0[0-7_]+|0b[01_]+|[-+]?\\d[\\d_]*(:[0-5]?\\d)+(\\.\\d*)?" + "|\\d{4}-\\d\\d?-\\d\\d?.*",
            Pattern.CASE_INSENSITIVE);

    private final ScalarResolver core = new CoreScalarResolver(true);

    @Override
    public ScalarResolver getScalarResolver() {
        return (text, implicit) ->
                implicit && NOT_A_TEXT.matcher(text).matches() ? Tag.BOOL : core.resolve(text, implicit);
    }

    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
        return new CoreSchema().getSchemaTagConstructors();
    }
}
