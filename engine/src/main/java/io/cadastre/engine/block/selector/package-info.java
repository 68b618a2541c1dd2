/// The selector language of Calico: conditions on the labels of nodes and namespaces.
///
/// ```
/// selector := nothing | or                    nothing, or only blanks, is all()
/// or       := and ( "||" and )*
/// and      := not ( "&&" not )*
/// not      := "!"* primary                    an even number of ! is none
/// primary  := "(" or ")" | "all()" | "global()" | "has(" label ")"
///           | label ( "==" | "!=" | "contains" | "starts with" | "ends with" ) string
///           | label ( "in" | "not in" ) "{" [ string ( "," string )* [ "," ] ] "}"
/// ```
///
/// The words of the language are reserved nowhere: where a label is expected, `in` is a label. Errors
/// have the words of Calico, because its users search for them.
@NullMarked
package io.cadastre.engine.block.selector;

import org.jspecify.annotations.NullMarked;
