import EscrowConsent
import EscrowManifest
import Foundation
import Testing

/// A mail goes to whom the plugin picks, and not to the server that takes it.
@Suite struct MailSheetTests {
    private func manifest(to: String = #""maxLength": 200"#) throws -> Manifest {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Manifests/send-note.json"), encoding: .utf8)
        let changed = text.replacing(#""maxLength": 200"#, with: to)
        return try Manifest.parseAuthored(Array(changed.utf8), file: "plugin.json")
    }

    @Test func whereThePluginPicksWhoGetsAMailTheSheetNamesNoServerAsTheirs() throws {
        let manifest = try manifest()
        let receiver = #"any address, through your own server "mail""#
        #expect(manifest.capacitySentence.contains("a run to \(receiver); returns"))
        let sentence = try #require(manifest.requests.first?.sentence)
        #expect(sentence.hasPrefix("MAIL to \(receiver), it says to"))
        #expect(manifest.receiversBesideServers == ["any mail address"])
    }

    @Test func recipientsOutsideTheTrustZoneAreOutsideWhereTheServerIsInside() throws {
        let zone = TrustZone(apps: ["org.example.notes"], endpoints: ["mail.own.invalid"])
        func crossing(_ manifest: Manifest) -> Crossing {
            zone.classify(
                purpose: "personal-summary", target: "app:org.example.notes", place: "this device",
                endpoints: manifest.requests.map(\.template.host) + manifest.receiversBesideServers)
        }
        #expect(crossing(try manifest()).leaving == ["any mail address"])
        #expect(!crossing(try manifest(to: #""oneOf": ["me@example.org"]"#)).crosses)
    }

    @Test func aListOfRecipientsIsTheManifests() throws {
        let one = try manifest(to: #""oneOf": ["me@example.org"]"#)
        #expect(
            one.requests.first?.shownReceiver
                == #"one address that its manifest names, through your own server "mail""#)
        let two = try manifest(to: #""oneOf": ["me@example.org", "you@example.org"]"#)
        #expect(two.requests.first?.shownPlace.hasPrefix("to 2 addresses that its manifest names") == true)
        #expect(two.receiversBesideServers.isEmpty)
    }
}
