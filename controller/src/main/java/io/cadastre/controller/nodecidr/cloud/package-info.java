/// Node CIDRs that a cloud has a say in, in a cluster: [io.cadastre.controller.nodecidr.cloud.CloudIpam] does for them
/// what [io.cadastre.controller.nodecidr.NodeIpam] does for those that are cut out of a cluster CIDR alone.
///
/// The laws are [io.cadastre.engine.nodecidr.cloud], and the cloud is behind a port
/// ([io.cadastre.controller.nodecidr.cloud.CloudProvider]). One Node is worked on by one worker at a time: it asks the
/// cloud, asks the law, and writes what the law wants, one change after another, until one fails. What was written
/// stays, and the next attempt goes on from there.
///
/// **The cloud is the arbiter of an alias range**, as the API server is of a Node: two machines do not get overlapping
/// ones. So a leader that does not know of what the leader before it began can at worst be refused.
@NullMarked
package io.cadastre.controller.nodecidr.cloud;

import org.jspecify.annotations.NullMarked;
