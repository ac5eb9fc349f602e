package import EscrowManifest

/// How messages name a plugin.
package struct PluginIdentity {
    package let id: String
    package let version: String

    package init(_ manifest: Manifest) {
        id = manifest.id
        version = manifest.version.description
    }

    /// The last label of the id.
    package var shortName: String { id.split(separator: ".").last.map(String.init) ?? id }
}
