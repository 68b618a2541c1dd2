/// Health and metrics over HTTP, for the kubelet and for Prometheus, as agent and controller show them.
@NullMarked
package io.cadastre.wire.pages;

import org.jspecify.annotations.NullMarked;
