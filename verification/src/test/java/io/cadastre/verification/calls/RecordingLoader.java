package io.cadastre.verification.calls;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Loads the classes of the product so that each method that works reports to [CallRecorder].
///
/// Constructors, static initialisers, accessors of records and what every record and enum has are not work: a type of
/// which nothing else runs only carries data.
final class RecordingLoader extends ClassLoader {

    private static final String PRODUCT = "io.cadastre.";
    private static final String OURS = "io.cadastre.verification.";
    private static final ClassDesc RECORDER = ClassDesc.of(CallRecorder.class.getName());
    private static final Set<String> OF_EVERY_VALUE =
            Set.of("<init>", "<clinit>", "equals", "hashCode", "toString", "values", "valueOf", "$values");

    private final String rootType;
    private final String rootMethod;

    /// A loader whose recordings begin at one method.
    ///
    /// @param root the type and the name of the method, with a `#` between them
    RecordingLoader(String root, ClassLoader parent) {
        super(parent);
        this.rootType = root.substring(0, root.indexOf('#'));
        this.rootMethod = root.substring(root.indexOf('#') + 1);
    }

    static boolean records(String type) {
        return type.startsWith(PRODUCT) && !type.startsWith(OURS);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!records(name)) {
                return super.loadClass(name, resolve);
            }
            var loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (var bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            var recorded = recording(name, bytes.readAllBytes());
            return defineClass(name, recorded, 0, recorded.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private byte[] recording(String type, byte[] bytes) {
        var file = ClassFile.of();
        var model = file.parse(bytes);
        var components = components(model);
        var entering = ClassTransform.transformingMethodBodies(
                method -> works(method, components),
                atStart(code -> code.loadConstant(CallRecorder.topLevel(type))
                        .invokestatic(
                                RECORDER, "enter", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String))));
        var beginning = ClassTransform.transformingMethodBodies(
                method -> method.methodName().equalsString(rootMethod),
                atStart(code -> code.invokestatic(RECORDER, "begin", MethodTypeDesc.of(ConstantDescs.CD_void))));
        var recorded = file.transformClass(model, entering);
        return type.equals(rootType) ? file.transformClass(file.parse(recorded), beginning) : recorded;
    }

    private static Set<String> components(ClassModel model) {
        return model.findAttribute(Attributes.record()).stream()
                .flatMap(found -> found.components().stream())
                .map(component -> component.name().stringValue())
                .collect(Collectors.toSet());
    }

    private static boolean works(MethodModel method, Set<String> components) {
        var name = method.methodName().stringValue();
        boolean accessor =
                components.contains(name) && method.methodTypeSymbol().parameterCount() == 0;
        return !accessor && !OF_EVERY_VALUE.contains(name);
    }

    private static CodeTransform atStart(Consumer<CodeBuilder> inserted) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                inserted.accept(code);
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
    }
}
