package io.cadastre.verification.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What may know what. Each rule is stated once here, and tried twice: on the product, which must
/// keep it, and on planted code, which must break it.
final class Rules {

    private static final String ADDRESS = "io.cadastre.address..";
    private static final String ENGINE = "io.cadastre.engine..";
    private static final String[] DATASTORE = {
        "io.cadastre.datastore", "io.cadastre.datastore.memory..", "io.cadastre.datastore.resource.."
    };
    private static final String SQLITE = "io.cadastre.datastore.sqlite..";
    private static final String ETCD = "io.cadastre.datastore.etcd..";
    private static final String KUBERNETES = "io.cadastre.datastore.kubernetes..";
    private static final String REGISTRY = "io.cadastre.registry..";
    private static final String WIRE = "io.cadastre.wire..";
    private static final String LINUX = "io.cadastre.linux..";
    private static final String CNI = "io.cadastre.cni..";
    private static final String AGENT = "io.cadastre.agent..";
    private static final String CONTROLLER = "io.cadastre.controller..";
    private static final String CLOUD_GOOGLE = "io.cadastre.cloud.google..";
    private static final String CLI = "io.cadastre.cli..";
    private static final String VERIFICATION = "io.cadastre.verification..";
    private static final String JSPECIFY = "org.jspecify.annotations..";
    private static final String JACKSON = "com.fasterxml.jackson..";

    /// Values and the algebra of collections. Absent on purpose: concurrency, logging, files, the
    /// network.
    private static final DescribedPredicate<JavaClass> VALUES = resideInAnyPackage(
            "java.lang",
            "java.lang.annotation",
            "java.lang.invoke",
            "java.lang.runtime",
            "java.util",
            "java.util.function",
            "java.util.random",
            "java.util.regex",
            "java.util.stream",
            "java.time..",
            "java.math",
            JSPECIFY);

    /// The JDK as every module may use it. JDBC is left to the one module that speaks SQL.
    private static final DescribedPredicate<JavaClass> JDK =
            resideInAnyPackage("java..", "javax..", JSPECIFY).and(not(resideInAnyPackage("java.sql..", "javax.sql..")));

    static final ArchRule ADDRESS_KNOWS_ONLY_VALUES = classes()
            .that()
            .resideInAPackage(ADDRESS)
            .should()
            .onlyDependOnClassesThat(VALUES.or(resideInAPackage(ADDRESS)))
            .because("arithmetic needs nothing but numbers");

    static final ArchRule ENGINE_KNOWS_ONLY_VALUES_AND_ADDRESSES = classes()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .onlyDependOnClassesThat(VALUES.or(resideInAnyPackage(ADDRESS, ENGINE)))
            .because("a law is a pure function; stores, wires and threads are its caller's");

    static final ArchRule DATASTORE_KNOWS_ONLY_THE_JDK = classes()
            .that()
            .resideInAnyPackage(DATASTORE)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE)))
            .because("a port that knows one of its stores is no port");

    static final ArchRule SQLITE_KNOWS_ONLY_THE_PORT_AND_SQL = classes()
            .that()
            .resideInAPackage(SQLITE)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE))
                    .or(resideInAnyPackage(SQLITE, "java.sql..", "javax.sql..", "org.sqlite..")))
            .because("a store knows documents, not who holds which address");

    static final ArchRule ETCD_KNOWS_ONLY_THE_PORT_AND_GRPC = classes()
            .that()
            .resideInAPackage(ETCD)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE)).or(resideInAnyPackage(ETCD, "io.grpc..")))
            .because("a store knows documents, not who holds which address");

    static final ArchRule KUBERNETES_KNOWS_ONLY_THE_PORT_AND_ITS_CLIENT = classes()
            .that()
            .resideInAPackage(KUBERNETES)
            .should()
            .onlyDependOnClassesThat(
                    JDK.or(resideInAnyPackage(DATASTORE)).or(resideInAnyPackage(KUBERNETES, "io.fabric8..", JACKSON)))
            .because("a map, not the store, decides which object holds which document");

    static final ArchRule REGISTRY_KNOWS_NO_STORE_BUT_THE_PORT = classes()
            .that()
            .resideInAPackage(REGISTRY)
            .should()
            .onlyDependOnClassesThat(
                    JDK.or(resideInAnyPackage(DATASTORE)).or(resideInAnyPackage(REGISTRY, ADDRESS, ENGINE)))
            .because("the registrar writes through the port, whatever stands behind it");

    static final ArchRule WIRE_KNOWS_THE_REGISTRY_AND_JACKSON = classes()
            .that()
            .resideInAPackage(WIRE)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE))
                    .or(resideInAnyPackage(WIRE, REGISTRY, ADDRESS, ENGINE, JACKSON, "com.sun.net.httpserver..")))
            .because("a document looks the same in every store");

    static final ArchRule LINUX_KNOWS_ONLY_THE_JDK_AND_ADDRESSES = classes()
            .that()
            .resideInAPackage(LINUX)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(LINUX, ADDRESS)))
            .because("the kernel does not know who holds which address");

    static final ArchRule CNI_KNOWS_THE_WIRE = classes()
            .that()
            .resideInAPackage(CNI)
            .should()
            .onlyDependOnClassesThat(
                    JDK.or(resideInAnyPackage(DATASTORE)).or(resideInAnyPackage(CNI, WIRE, REGISTRY, ADDRESS, JACKSON)))
            .because("a plugin and a runtime know the protocol, and no agent");

    static final ArchRule AGENT_KNOWS_THE_WIRE_AND_LINUX = classes()
            .that()
            .resideInAPackage(AGENT)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE))
                    .or(resideInAnyPackage(AGENT, WIRE, "io.cadastre.linux..", REGISTRY, ADDRESS, ENGINE, JACKSON)))
            .because("an agent answers on any store, for any caller");

    static final ArchRule CONTROLLER_KNOWS_THE_WIRE = classes()
            .that()
            .resideInAPackage(CONTROLLER)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(DATASTORE))
                    .or(resideInAnyPackage(
                            CONTROLLER, WIRE, REGISTRY, ADDRESS, ENGINE, JACKSON, "com.sun.net.httpserver..")))
            .because("a controller works on any store, and knows no node's process");

    static final ArchRule GOOGLE_KNOWS_THE_PORT_TO_A_CLOUD = classes()
            .that()
            .resideInAPackage(CLOUD_GOOGLE)
            .should()
            .onlyDependOnClassesThat(JDK.or(resideInAnyPackage(
                    CLOUD_GOOGLE,
                    "io.cadastre.controller.nodecidr.cloud..",
                    "io.cadastre.controller.election..",
                    "io.cadastre.engine.nodecidr.cloud..",
                    "io.cadastre.wire.json..",
                    "io.cadastre.datastore",
                    REGISTRY,
                    ADDRESS,
                    JACKSON)))
            .because("a cloud knows machines and their alias ranges, and no node");

    static final ArchRule CLI_LEAVES_DRIVERS_TO_THE_STORES = classes()
            .that()
            .resideInAPackage(CLI)
            .should()
            .onlyDependOnClassesThat(
                    JDK.or(resideInAnyPackage("io.cadastre..", "picocli..", "org.snakeyaml..", JACKSON)))
            .because("the executable assembles modules and calls none of their libraries");

    static final ArchRule COMMANDS_DO_NOT_KNOW_THE_ENTRY_POINT = noClasses()
            .that()
            .resideInAPackage("io.cadastre.cli.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.cadastre.cli")
            .because("the table of commands knows them all, and what they share has a package of its own");

    static final ArchRule COMMANDS_HAVE_NO_CYCLES = slices().matching("io.cadastre.cli.(*)..")
            .should()
            .beFreeOfCycles()
            .because("two groups of commands that need each other are one");

    static final ArchRule NOTHING_DEPENDS_ON_VERIFICATION = noClasses()
            .that()
            .resideOutsideOfPackage(VERIFICATION)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(VERIFICATION)
            .because("the product has no hooks for its tests");

    static final ArchRule EVERY_CLASS_LIES_IN_A_MODULE = classes()
            .should()
            .resideInAnyPackage(
                    ADDRESS,
                    ENGINE,
                    "io.cadastre.datastore..",
                    REGISTRY,
                    WIRE,
                    LINUX,
                    CNI,
                    AGENT,
                    CONTROLLER,
                    CLOUD_GOOGLE,
                    CLI,
                    VERIFICATION)
            .because("a module without a rule here would be free to depend on anything");

    static final ArchRule ENGINES_ARE_STRANGERS = slices().matching("io.cadastre.engine.(*)..")
            .should()
            .notDependOnEachOther()
            .because("two laws that share code can no longer change apart");

    static final ArchRule WHAT_ENGINES_SHARE_KNOWS_NO_ENGINE = noClasses()
            .that()
            .resideInAPackage("io.cadastre.engine")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.cadastre.engine.*..")
            .because("the map is shared, the law is not");

    static final ArchRule ENGINES_READ_NO_CLOCK = noClasses()
            .that()
            .resideInAnyPackage(ADDRESS, ENGINE)
            .should()
            .accessTargetWhere(describe("it tells the time", Rules::tellsTheTime))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(InstantSource.class)
            .because("time comes to an engine as an Instant");

    static final ArchRule ENGINES_ROLL_NO_DICE = noClasses()
            .that()
            .resideInAnyPackage(ADDRESS, ENGINE)
            .should()
            .accessTargetWhere(describe("it makes its own chance", Rules::rollsDice))
            .because("chance comes to an engine as a RandomGenerator");

    static final ArchRule ENGINES_ITERATE_IN_ONE_ORDER = noClasses()
            .that()
            .resideInAPackage(ENGINE)
            .should()
            .accessTargetWhere(describe("it iterates in an order of its own", Rules::losesOrder))
            .because("the order of iteration is part of the law: use lists and sorted maps");

    static final ArchRule NAMES_SAY_WHAT_A_THING_IS = classes()
            .that()
            .resideOutsideOfPackage("..jmh_generated..")
            .should()
            .haveNameNotMatching(".*[.$]Abstract[A-Z][^.$]*")
            .andShould()
            .haveNameNotMatching(".*(Impl|Manager|Helper|Data|Utils?)")
            .because("such a name says how a thing is made and not what it is");

    static final ArchRule ONLY_MAIN_READS_THE_WALL_CLOCK = noClasses()
            .that()
            .haveNameNotMatching("io\\.cadastre\\.cli\\.Main(\\$.*)?")
            .and()
            .resideOutsideOfPackage("..jmh_generated..")
            .should()
            .accessTargetWhere(describe("it tells the time of day", Rules::tellsTheTimeOfDay))
            .because("the clock enters by constructor, as an InstantSource");

    static final ArchRule PACKAGES_ARE_CONCEPTS = noClasses()
            .should()
            .resideInAnyPackage(
                    "..util..",
                    "..utils..",
                    "..common..",
                    "..types..",
                    "..helper..",
                    "..helpers..",
                    "..manager..",
                    "..managers..")
            .because("what has no concept has no home");

    private static final Set<String> DICE = Set.of(
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.security.SecureRandom",
            "java.util.concurrent.ThreadLocalRandom",
            "java.util.random.RandomGeneratorFactory");

    /// Where collections come from that iterate in an order that differs from run to run: the JDK salts
    /// its small ones, and the hash code of a record with an enum in it is an object's identity.
    private static final Map<String, Set<String>> UNORDERED = Map.of(
            "java.util.Set", Set.of("of", "copyOf"),
            "java.util.Map", Set.of("of", "copyOf", "ofEntries"),
            "java.util.HashSet", Set.of("<init>"),
            "java.util.HashMap", Set.of("<init>"),
            "java.util.stream.Collectors", Set.of("toSet", "toUnmodifiableSet", "toUnmodifiableMap"));

    private static final Pattern SYSTEM_CLOCK = Pattern.compile("system.*|tick.*");

    private Rules() {}

    private static boolean tellsTheTime(JavaAccess<?> access) {
        return tellsTheTimeOfDay(access) || calls(access, "java.lang.System", "nanoTime");
    }

    private static boolean tellsTheTimeOfDay(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        var name = access.getTarget().getName();
        return (owner.getPackageName().startsWith("java.time") && name.equals("now"))
                || (owner.isAssignableTo(InstantSource.class)
                        && SYSTEM_CLOCK.matcher(name).matches())
                || calls(access, "java.lang.System", "currentTimeMillis")
                || calls(access, "java.util.Date", "<init>")
                || calls(access, "java.util.Calendar", "getInstance");
    }

    private static boolean rollsDice(JavaAccess<?> access) {
        return DICE.contains(access.getTargetOwner().getName())
                || calls(access, "java.lang.Math", "random")
                || calls(access, "java.lang.StrictMath", "random")
                || calls(access, "java.util.UUID", "randomUUID")
                || calls(access, "java.util.Collections", "shuffle")
                || calls(access, "java.util.random.RandomGenerator", "of")
                || calls(access, "java.util.random.RandomGenerator", "getDefault");
    }

    private static boolean losesOrder(JavaAccess<?> access) {
        return UNORDERED
                .getOrDefault(access.getTargetOwner().getName(), Set.of())
                .contains(access.getTarget().getName());
    }

    private static boolean calls(JavaAccess<?> access, String owner, String name) {
        return access.getTargetOwner().getName().equals(owner)
                && access.getTarget().getName().equals(name);
    }
}
