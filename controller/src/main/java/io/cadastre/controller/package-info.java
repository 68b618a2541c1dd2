/// The process of a cluster. Of several only one works, which an election decides; it takes back what
/// nobody uses any more, and shows figures and its health on three pages.
@NullMarked
package io.cadastre.controller;

import org.jspecify.annotations.NullMarked;
