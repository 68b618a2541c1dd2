package io.cadastre.cli.ipam;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.cli.command.Documents;
import io.cadastre.cli.command.Format;
import java.io.PrintStream;
import java.util.List;

/// An answer of `ipam show`: as calicoctl prints it, and as a document.
interface IpamReport {

    void printText(PrintStream out);

    JsonNode document();

    /// What it is about, one name a line.
    List<String> names();

    default void print(PrintStream out, Format format) {
        switch (format) {
            case TABLE, WIDE -> printText(out);
            case NAME -> names().forEach(out::println);
            case JSON -> Documents.printJson(out, document());
            case YAML -> Documents.printYaml(out, document());
        }
    }
}
