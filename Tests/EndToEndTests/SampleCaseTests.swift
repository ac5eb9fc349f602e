import Foundation
import Testing

/// The sample plugins pass their own cases, as an author sees it: in the real sandbox, with the host's checks. Programs are
/// taken as `make plugins` built them.
@Suite struct SampleCaseTests {
    @Test(arguments: [
        "age-of-contacts", "location-echo", "nearby-articles", "phone-check", "places-summary", "thumbnails",
        "weather", "back-up-photos", "check-exposure", "find-contacts", "media-list", "spending-by-month",
        "nearby-results",
        "post-picture",
        "report-place", "send-note", "share-keys", "write-post", "find-place", "media-control",
        "profile-picture",
        "report-activity", "send-picture", "share-place", "show-map", "voice-assist", "voice-to-text",
    ])
    func everyCaseOfASamplePasses(plugin: String) throws {
        let escrow = try Escrow(trusting: false)
        let folder = Escrow.root.appending(path: "Plugins/\(plugin)").path
        let cases = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Tests/cases")
            .filter { $0.hasSuffix(".json") }
        let outcome = try escrow.run("plugin", "test", folder, "--no-build")
        #expect(outcome.status == 0, "\(outcome.everything)")
        #expect(outcome.words.hasPrefix("\(cases.count) passed, 0 failed; "), "\(outcome.words)")
        #expect(!cases.isEmpty)
    }
}
