import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowHost

/// What a dataflow that waits keeps, and who has it when it runs.
@Suite struct WaitingQueueTests {
    private func queue() throws -> WaitingQueue {
        var template = Array("/tmp/escrow-queue-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        return WaitingQueue(path: folder + "/queue.json")
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
}
