package io.cadastre.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintStream;
import java.util.List;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/// Documents as text, the way kubectl prints them: one by itself, several as a `List`.
public final class Documents {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Documents() {}

    public static void printJson(PrintStream out, JsonNode document) {
        var lines = new DefaultIndenter("    ", "\n");
        var printer = new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines);
        try {
            out.println(MAPPER.writer(printer).writeValueAsString(document));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree is always JSON", impossible);
        }
    }

    public static void printYaml(PrintStream out, JsonNode document) {
        var settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSchema(new GoSchema())
                .build();
        out.print(new Dump(settings).dumpToString(plain(document)));
    }

    static JsonNode listOf(List<? extends JsonNode> items) {
        return listOf(items, "v1", "List");
    }

    static JsonNode listOf(List<? extends JsonNode> items, String apiVersion, String kind) {
        var list = JsonNodeFactory.instance.objectNode();
        list.put("apiVersion", apiVersion).put("kind", kind);
        list.putArray("items").addAll(items);
        return list;
    }

    private static Object plain(JsonNode document) {
        return MAPPER.convertValue(document, new TypeReference<Object>() {});
    }
}
