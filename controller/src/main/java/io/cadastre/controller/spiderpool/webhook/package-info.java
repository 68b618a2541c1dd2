/// Admission webhooks for Spiderpool's objects: the API server asks here before it stores or deletes one.
///
/// **Who does what.** Every process serves ([io.cadastre.controller.spiderpool.webhook.ReviewServer]); the rules are in
/// [io.cadastre.wire.spiderpool.admission]. The keys and certificates lie in one Secret, which any process creates or
/// renews by compare-and-set and all look at again and again
/// ([io.cadastre.controller.spiderpool.webhook.WebhookKeys]). The leader tells the API server where to ask and whom to
/// trust ([io.cadastre.controller.spiderpool.webhook.WebhookConfigurations]).
///
/// **Renewal.** A new authority is trusted for a day before it signs, so that the API server knows it by then. A
/// certificate that was renewed serves the next connection.
@NullMarked
package io.cadastre.controller.spiderpool.webhook;

import org.jspecify.annotations.NullMarked;
