import EscrowConsent
import EscrowDiagnostics
import Foundation

extension DataflowDescription {
    /// A dataflow to vary.
    static var sample: DataflowDescription {
        DataflowDescription(
            .plain, publisher: "Example Org", returns: "valid, invalid (whole numbers); at most 4096 bytes",
            capacity: "sends nothing; returns at most 40 bits to the app",
            limits: "10 s, 64 MiB, no files, no network of its own")
    }

    /// One that sends, in words and in fact.
    static var sending: DataflowDescription {
        sample.with { $0.send("to x") }
    }

    /// Makes it send something: by another manifest, since one manifest never sends two things.
    mutating func send(_ sentence: String) {
        egress = [sentence]
        self.plugin.manifestDigest = "sha256:sends"
        self.reach = try? ReachTests.reach()
    }

    func with(_ change: (inout DataflowDescription) -> Void) -> DataflowDescription {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Dataflow {
    /// A dataflow to vary.
    static var plain: Dataflow {
        Dataflow(
            app: "org.example.notes",
            plugin: .init(
                id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                signerKeyID: "SHA256:k1"),
            purpose: .init(code: "data-quality", text: "Find numbers that nobody can call."),
            reads: [
                TableUse(table: "Contacts", returned: ["phoneNumber", "id"], used: ["familyName", "id"])
            ],
            minimumRows: 5, parameters: ["region"], resultDigest: "sha256:r1",
            target: "org.example.notes on this computer")
    }
}

/// What is asked by a description is asked of its dataflow.
extension GrantStore {
    func decide(
        for description: DataflowDescription, rules: Decision = .open, claimed: Grant? = nil
    ) throws(Diagnostic) -> Decision {
        try decide(for: description.dataflow, rules: rules, claimed: claimed)
    }

    func claim(
        _ description: DataflowDescription, rules: Decision = .open
    ) throws(Diagnostic) -> Decision {
        try claim(description.dataflow, rules: rules)
    }

    func once(for description: DataflowDescription, terms: GrantTerms) -> Grant {
        once(for: description.dataflow, terms: terms)
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
