import EscrowConsent
import Foundation

extension DataflowDescription {
    /// A dataflow to vary.
    static var sample: DataflowDescription {
        DataflowDescription(
            app: "org.example.notes",
            plugin: .init(
                id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                signerKeyID: "SHA256:k1",
                publisher: "Example Org"),
            purpose: .init(code: "data-quality", text: "Find numbers that nobody can call."),
            reads: [
                TableUse(table: "Contacts", returned: ["phoneNumber", "id"], used: ["familyName", "id"])
            ],
            parameters: ["region"],
            result: .init(
                summary: "valid, invalid (whole numbers); at most 4096 bytes", schemaDigest: "sha256:r1"),
            capacity: "sends nothing; returns at most 40 bits to the app",
            target: "org.example.notes on this computer",
            minimumRows: 5, limits: "10 s, 64 MiB, no files, no network of its own")
    }

    func with(_ change: (inout DataflowDescription) -> Void) -> DataflowDescription {
        var copy = self
        change(&copy)
        return copy
    }
}

/// A folder that is gone when the test is over.
final class Scratch: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "escrow-consent-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
