import EscrowAppWire
import EscrowDiagnostics
import EscrowLocationPrivacy
import EscrowManifest
import EscrowTrust

extension PlaceWish {
    /// Holds a plugin to what the app says that it does: E0617.
    func check(_ manifest: Manifest) throws(Diagnostic) {
        guard fits(manifest) else {
            throw Diagnostic(
                .serviceNotDeclared,
                "\(manifest.shortName) tells no place to such a service as the app names, or more than it says",
                help: "see what it sends: escrow plugin show \(manifest.shortName)")
        }
    }

    fileprivate func fits(_ manifest: Manifest) -> Bool {
        let most = Exactness(rawValue: accuracy) ?? .none
        return manifest.egress.contains { endpoint in
            guard let place = endpoint.place else { return false }
            return endpoint.template.host == server && place.service.rawValue == service
                && place.exactness.isWithin(Telling(most))
        }
    }
}

extension Runner {
    /// The request with the plugin named that an app left to the host: the one that tells the individual's place to such a service.
    /// E0617 where there is none, or more than one.
    func named(_ request: RunRequest) throws(Diagnostic) -> RunRequest {
        guard request.plugin == RunRequest.anyPlugin, let wish = request.place else { return request }
        let ids = try host.plugins(for: wish)
        guard ids.count == 1 else {
            throw Diagnostic(
                .serviceNotDeclared,
                ids.isEmpty
                    ? "no installed plugin tells a place to such a service as the app names"
                    : "\(ids.count) installed plugins tell a place to such a service as the app names",
                help: ids.isEmpty
                    ? "see which there are: escrow plugin list"
                    : "the app names one of them: \(ids.joined(separator: ", "))")
        }
        var request = request
        request.plugin = ids[0]
        return request
    }
}

extension RunRequest {
    /// In place of a plugin's name: whichever asks the service that `place` names.
    public static let anyPlugin = "-"
}

extension PluginShelf {
    /// None, where nobody looks.
    func plugins(for wish: PlaceWish) throws(Diagnostic) -> [String] { [] }
}

extension Host {
    func plugins(for wish: PlaceWish) throws(Diagnostic) -> [String] {
        let store = try plugins()
        let now = try now()
        // One that does not pass its checks does not run, and so is none of them.
        return try store.list().map(\.id).filter { id in
            guard let verified = try? store.check(id, now: now) else { return false }
            return wish.fits(verified.manifest)
        }
    }
}
