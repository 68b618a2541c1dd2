/// How documents under keys are objects of an API that has kinds, names and object metadata.
///
/// A store that speaks such an API is given a [ResourceMap] and knows nothing of what the documents
/// mean; the code that knows the meaning implements the map and knows nothing of the store. Objects
/// pass between them as the bytes of their JSON, so that neither has to share a JSON library with the
/// other, and no field is lost that one of them does not know.
@NullMarked
package io.cadastre.datastore.resource;

import org.jspecify.annotations.NullMarked;
