/// How many pools and subnets there are and how full each is, as Spiderpool's controller shows it to Prometheus.
@NullMarked
package io.cadastre.controller.spiderpool.inventory;

import org.jspecify.annotations.NullMarked;
