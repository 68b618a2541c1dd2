/// NetworkAttachmentDefinitions of SpiderMultusConfigs.
///
/// A SpiderMultusConfig says which plugin attaches pods to a network, and which pools give the addresses there.
/// [io.cadastre.wire.spiderpool.multus.AttachmentForm] makes the NetworkAttachmentDefinition from it that Multus reads;
/// [io.cadastre.wire.spiderpool.multus.Attachments] is the law of what is written: nothing that another writer owns.
@NullMarked
package io.cadastre.wire.spiderpool.multus;

import org.jspecify.annotations.NullMarked;
