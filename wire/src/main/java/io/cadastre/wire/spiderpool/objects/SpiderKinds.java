package io.cadastre.wire.spiderpool.objects;

import io.cadastre.wire.book.ResourceKind;
import java.util.List;

/// The kinds of Spiderpool's objects. Rules, `apply`, `get` and `delete` are read off this table: a new kind is
/// one file and one line here.
public final class SpiderKinds {

    public static final SpiderKind POOL = new SpiderPoolKind();
    public static final SpiderKind RESERVED = new ReservedKind();

    public static final SpiderKind SUBNET = new SpiderSubnetKind();
    static final ResourceKind ENDPOINT = new SpiderEndpointKind();

    static final SpiderKind MULTUS_CONFIG = new MultusConfigKind();
    static final SpiderKind COORDINATOR = new CoordinatorKind();

    public static final List<ResourceKind> ALL = List.of(POOL, RESERVED, SUBNET, ENDPOINT, MULTUS_CONFIG, COORDINATOR);

    private SpiderKinds() {}

    /// Those that admission webhooks review.
    public static List<SpiderKind> reviewed() {
        return List.of(POOL, RESERVED, SUBNET);
    }

    /// Those with rules for what users write.
    public static List<SpiderKind> written() {
        return ALL.stream()
                .filter(SpiderKind.class::isInstance)
                .map(SpiderKind.class::cast)
                .toList();
    }
}
