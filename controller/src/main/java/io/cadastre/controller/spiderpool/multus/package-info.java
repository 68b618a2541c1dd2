/// NetworkAttachmentDefinitions of SpiderMultusConfigs.
///
/// [io.cadastre.controller.spiderpool.multus.MultusNetworks] is the control loop `spiderpool-multus`. It begins to
/// follow both kinds when the store has them, since many clusters have neither, and writes only while it leads. What
/// it writes is decided by [io.cadastre.wire.spiderpool.multus.Attachments].
@NullMarked
package io.cadastre.controller.spiderpool.multus;

import org.jspecify.annotations.NullMarked;
