import Dispatch
import EscrowEgress
import Synchronization
import Testing

@Suite("A lookup ends with its run", .timeLimit(.minutes(60)))
struct InterruptibleResolverTests {
    /// A name server that answers when it is told to.
    final class Slow: Resolver {
        let asked = DispatchSemaphore(value: 0)
        let answer = DispatchSemaphore(value: 0)
        let names = Mutex<[String]>([])

        func addresses(of host: String) -> [IPAddress] {
            names.withLock { $0.append(host) }
            asked.signal()
            answer.wait()
            return [IPAddress("192.0.2.1"), IPAddress("2001:db8::1")].compactMap { $0 }
        }
    }

    @Test("An answer is passed on whole")
    func answer() {
        let slow = Slow()
        slow.answer.signal()
        let found = InterruptibleResolver(slow).addresses(of: "api.example.org")
        #expect(found.map(\.description) == ["192.0.2.1", "2001:db8::1"])
        #expect(slow.names.withLock { $0 } == ["api.example.org"])
    }

    @Test("One that waits is ended, and a later one does not begin")
    func cancelled() {
        let slow = Slow()
        let resolver = InterruptibleResolver(slow, patience: 3600)
        DispatchQueue.global().async {
            slow.asked.wait()
            resolver.cancel()
        }
        #expect(resolver.addresses(of: "api.example.org") == [])
        #expect(resolver.isCancelled)
        slow.answer.signal()
        #expect(resolver.addresses(of: "other.example.org") == [])
        #expect(slow.names.withLock { $0 } == ["api.example.org"])
    }

    @Test("One that takes too long is as if there were no address")
    func late() {
        let slow = Slow()
        #expect(InterruptibleResolver(slow, patience: 0.01).addresses(of: "api.example.org") == [])
        slow.answer.signal()
    }
}
