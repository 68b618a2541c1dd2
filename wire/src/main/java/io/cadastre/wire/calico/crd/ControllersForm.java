package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import java.util.List;
import java.util.Optional;

/// The configuration of Calico's controllers. It is read and never written, and its documents are not
/// decoded here, so it is known by the text of its key.
final class ControllersForm implements ObjectForm {

    private final ResourceForm form;

    ControllersForm(ApiGroup group) {
        this.form = ResourceForm.of(
                group,
                "kubecontrollersconfigurations",
                "KubeControllersConfiguration",
                CalicoKeys.CONTROLLERS,
                _ -> Optional.empty(),
                CalicoKeys.CONTROLLERS::concat);
    }

    @Override
    public ApiResource resource() {
        return form.resource();
    }

    @Override
    public Optional<String> name(CalicoKey key) {
        return Optional.empty();
    }

    @Override
    public Optional<String> nameOfUnknown(String key) {
        return key.startsWith(CalicoKeys.CONTROLLERS)
                ? Optional.of(key.substring(CalicoKeys.CONTROLLERS.length())).filter(name -> !name.isEmpty())
                : Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return form.scopes(prefix);
    }

    @Override
    public Content read(ObjectNode object) {
        return form.read(object);
    }

    @Override
    public ObjectNode create(CalicoKey key, ObjectNode document) {
        throw new IllegalStateException("what controllers are told is only read");
    }

    @Override
    public ObjectNode update(ObjectNode current, CalicoKey key, ObjectNode document) {
        throw new IllegalStateException("what controllers are told is only read");
    }

    @Override
    public ObjectNode tombstone(ObjectNode current) {
        return form.tombstone(current);
    }
}
