/// Makes pools of SpiderSubnets for applications, resizes them, and takes them back.
///
/// It follows the applications, the subnets and the pools from the moment when its process leads and there is a
/// subnet; a cluster without any is asked for subnets only. Whatever happens makes a task; one worker takes all
/// that wait as one pass, looks into the store once to find out which of them need a decision, and decides each on what
/// is there then ([io.cadastre.engine.pool.subnet]).
@NullMarked
package io.cadastre.controller.spiderpool.subnet;

import org.jspecify.annotations.NullMarked;
