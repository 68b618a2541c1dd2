/// The plugin calico-ipam: addresses from blocks, for one interface of one container.
///
/// A repeated ADD is answered with what the interface has. Each address says for which interface it is in
/// an attribute of its own beside Calico's; the handle alone does not say it. What is matched, and where
/// we do better, is in `docs/compat/cni.md`.
@NullMarked
package io.cadastre.agent.calico;

import org.jspecify.annotations.NullMarked;
