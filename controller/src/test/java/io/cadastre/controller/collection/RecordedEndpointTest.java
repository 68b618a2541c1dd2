package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedEndpointTest {

    private static final String KEY = "/calico/resources/v3/projectcalico.org/workloadendpoints/shop/n1-k8s-web-eth0";

    /// Who reads exact names only finds no address, and takes one in use for a leak.
    @Test
    void fieldsAreReadInAnyLetterCaseAsGoDoes() {
        var document = new Document(
                KEY, Bytes.ofUtf8("{\"Spec\":{\"NODE\":\"n1\",\"ipnetworks\":[\"10.0.0.1/32\",\"fd00::1/128\"]}}"), 1);

        var endpoint = RecordedEndpoint.read(document);

        assertThat(endpoint)
                .contains(new RecordedEndpoint("n1", List.of(Address.parse("10.0.0.1"), Address.parse("fd00::1"))));
    }
}
