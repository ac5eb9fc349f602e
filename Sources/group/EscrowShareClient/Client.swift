internal import CCurl
internal import Glibc

/// Speaks with share servers by libcurl, with all of them at once: one connection each, which stays open. One thread uses it.
public final class Client {
    private let multi: OpaquePointer
    private let seconds: Int
    /// How long all calls until now took together.
    public private(set) var spent = Duration.zero
    private static let isReady = escrow_curl_begin() == CURLE_OK

    /// - Parameter seconds: how long a server may take for an answer.
    public init?(patience seconds: Int = 20) {
        guard Self.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = OpaquePointer(multi)
        self.seconds = seconds
        guard escrow_curl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1) == CURLM_OK else {
            return nil
        }
    }

    deinit { curl_multi_cleanup(handle) }

    private var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(multi) }

    /// Makes all calls, and says what came of each, in their order.
    ///
    /// - Parameter longest: how many bytes of an answer are read.
    public func make(_ calls: [Call], longest: Int = 1 << 16) -> [Call.Outcome] {
        makeAll(calls, longest, nil).outcomes
    }

    /// Makes all calls, and waits no longer than it is worth for a server that is slower than the rest.
    public func make(_ calls: [Call], longest: Int = 1 << 16, patience: Patience) -> Patience.Answers {
        makeAll(calls, longest, patience)
    }

    private func makeAll(_ calls: [Call], _ longest: Int, _ patience: Patience?) -> Patience.Answers {
        let clock = ContinuousClock()
        let start = clock.now
        defer { spent += clock.now - start }
        // libcurl's queue of those that wait for a connection grows slow: a part of them at a time.
        var outcomes: [Call.Outcome] = []
        var slow: Set<ServerAddress> = []
        while outcomes.count < calls.count {
            let some = calls[outcomes.count..<min(calls.count, outcomes.count + 256)]
            let answers = makeSome(some, longest, patience)
            outcomes += answers.outcomes
            slow.formUnion(answers.slow)
        }
        return .init(outcomes: outcomes, slow: slow)
    }

    private func makeSome(_ calls: ArraySlice<Call>, _ longest: Int, _ patience: Patience?)
        -> Patience.Answers
    {
        let start = ContinuousClock.now
        var cut = patience?.end
        var answered = 0
        var open: [ServerAddress: Int] = [:]
        var pending: [UnsafeMutableRawPointer: Transfer] = [:]
        let transfers = calls.map { Transfer($0, seconds: seconds, longest: longest) }
        for transfer in transfers {
            guard let easy = transfer.easy, curl_multi_add_handle(handle, easy) == CURLM_OK else { continue }
            pending[easy] = transfer
            open[transfer.server, default: 0] += 1
        }
        var running: Int32 = 0
        repeat {
            guard curl_multi_perform(handle, &running) == CURLM_OK else { break }
            var left: Int32 = 0
            while let message = curl_multi_info_read(handle, &left) {
                guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                    continue
                }
                // What libcurl says of it does not outlive its removal.
                let result = message.pointee.data.result
                curl_multi_remove_handle(handle, easy)
                guard let transfer = pending.removeValue(forKey: easy) else { continue }
                transfer.end(result)
                open[transfer.server, default: 0] -= 1
                guard open[transfer.server] == 0, transfer.isAnswered else { continue }
                answered += 1
                guard let patience, answered == patience.enough else { continue }
                cut = patience.end(from: start, answeredAt: .now)
            }
            let rest = cut.map { ($0 - .now) / .milliseconds(1) } ?? .infinity
            guard rest > 0 else { break }
            if running > 0 { curl_multi_poll(handle, nil, 0, Int32(min(1000, rest + 1)), nil) }
        } while running > 0 || !pending.isEmpty
        // One that was reached is slow; of one that was not even that is not known.
        let reached = transfers.filter(\.isReached).map(\.server)
        for easy in pending.keys { curl_multi_remove_handle(handle, easy) }
        return .init(
            outcomes: transfers.map(\.outcome),
            slow: Set(pending.values.map(\.server)).intersection(reached))
    }
}
