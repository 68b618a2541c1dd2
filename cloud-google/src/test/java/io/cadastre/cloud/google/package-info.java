/// Tests of Google Compute Engine as a cloud, against a local server that answers as it does.
@NullMarked
package io.cadastre.cloud.google;

import org.jspecify.annotations.NullMarked;
