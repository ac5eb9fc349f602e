import EscrowAppWire
import EscrowDiagnostics
import EscrowLocationPrivacy
import EscrowManifest

extension PlaceWish {
    /// Holds a plugin to what the app says that it does: E0617.
    func check(_ manifest: Manifest) throws(Diagnostic) {
        let most = Exactness(rawValue: accuracy) ?? .none
        let fits = manifest.egress.contains { endpoint in
            guard let place = endpoint.place else { return false }
            return endpoint.template.host == server && place.service.rawValue == service
                && place.exactness.isWithin(Telling(most))
        }
        guard fits else {
            throw Diagnostic(
                .serviceNotDeclared,
                "\(manifest.shortName) tells no place to such a service as the app names, or more than it says",
                help: "see what it sends: escrow plugin show \(manifest.shortName)")
        }
    }
}
