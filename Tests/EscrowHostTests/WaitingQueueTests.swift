import EscrowFiles
import Glibc
import TemporaryFolder
import Testing

@testable import EscrowHost

/// What a dataflow that waits keeps, and who has it when it runs.
@Suite struct WaitingQueueTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder("escrow-queue") }

    private func queue() throws -> WaitingQueue {
        WaitingQueue(path: scratch.path + "/queue.json")
    }

    private func put(_ queue: WaitingQueue, _ request: RunRequest) throws -> WaitingQueue.Entry {
        try queue.put(request, rules: ["heavy"], missing: [], once: nil, isHeld: false)
    }

    @Test func whoAskedToSeeTheResultFirstStillDoes() throws {
        let queue = try queue()
        var request = RunRequest(app: "org.example.notes", plugin: "phone-check")
        request.isPreview = true
        let entry = try put(queue, request)
        #expect(try queue.entry(entry.id).request.isPreview)
        // The same without a preview is another request, and does not take its place.
        request.isPreview = false
        #expect(try put(queue, request).id != entry.id)
        #expect(try queue.list().map(\.request.isPreview) == [true, false])
    }

    @Test func oneAloneTakesIt() throws {
        let queue = try queue()
        let entry = try put(queue, RunRequest(app: "org.example.notes", plugin: "phone-check"))
        #expect(try queue.take(entry.id) != nil)
        #expect(try queue.take(entry.id) == nil)
    }

    @Test func eachRunThatStaysHasItsPlaceAndOneAloneTheAnswerThatWasGivenOnce() throws {
        let queue = try queue()
        let request = RunRequest(app: "org.example.notes", plugin: "phone-check")
        func stay(_ once: String?) throws -> WaitingQueue.Entry {
            try queue.put(request, rules: ["heavy"], missing: [], once: once, isHeld: true)
        }
        let entry = try stay("print")
        #expect(try stay(nil).id == entry.id)
        #expect(try queue.list().count == 1 && queue.entry(entry.id).isHeld)
        // A run that did not stay takes the answer along and leaves the places.
        #expect(try queue.take(entry.id)?.once == "print")
        #expect(try queue.takeHeld(entry.id)?.once == nil)
        #expect(try queue.takeHeld(entry.id) != nil)
        #expect(try queue.takeHeld(entry.id) == nil)
        #expect(try queue.list().isEmpty)
        let other = try stay(nil)
        _ = try stay(nil)
        try queue.drop(other.id)
        #expect(try queue.takeHeld(other.id) == nil)
    }

    @Test func anEarlierFilesHolderIsUnderstood() throws {
        let queue = try queue()
        let entry = try queue.put(
            RunRequest(app: "org.example.notes", plugin: "phone-check"), rules: [], missing: [], once: nil,
            isHeld: true)
        var text = try String(decoding: SecureFile.read(queue.path, limit: 65_536), as: UTF8.self)
        try #require(text.contains("\"holders\""))
        let start = try #require(text.firstRange(of: "\"holders\""))
        let end = try #require(text[start.upperBound...].firstIndex(of: "]"))
        text.replaceSubrange(start.lowerBound...end, with: "\"holder\": \(getpid())")
        try SecureFile.replace(queue.path, with: Array(text.utf8))
        #expect(try queue.entry(entry.id).isHeld)
        #expect(try queue.takeHeld(entry.id) != nil)
    }
}
