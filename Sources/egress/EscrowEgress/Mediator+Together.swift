public import EscrowDiagnostics
public import EscrowJSON
import EscrowManifest

extension Mediator {
    /// One of the requests that a plugin asks for together.
    public typealias Ask = (name: String, fields: [(name: String, value: JSONValue)])
    /// How one request ended.
    public typealias End = Result<IncomingResponse, EgressRefusal>

    /// A request that was asked for together with others.
    private struct Entry {
        /// Its place among those that were asked for.
        let place: Int
        /// The place of its endpoint in the manifest.
        let rank: Int
        let request: PreparedRequest
    }

    /// Sends all requests of a run in one go, and gives how each ended in the order in which they were asked for.
    ///
    /// The order is fixed: all fields and counts, one moment, one look at the grant, all names, all records, then all are
    /// sent. A refusal of any before that is one of all. They are sent by endpoint, and of one endpoint by their bytes:
    /// the order in which they were asked for reaches nobody.
    public mutating func fetch(together asks: [Ask]) throws(Diagnostic) -> Result<[End], EgressRefusal> {
        var entries: [Entry] = []
        do throws(EgressRefusal) { try rule.admit(together: true) } catch {
            return .failure(try refuse(nil, error))
        }
        for (place, ask) in asks.enumerated() {
            let rank = endpoints.firstIndex { $0.name == ask.name }
            let declared = rank.map { endpoints[$0] }
            do throws(EgressRefusal) {
                let request = try prepare(declared, ask.fields)
                // There is no further ask, so that what is counted for nothing is nobody's loss.
                calls[ask.name, default: 0] += 1
                bytes[ask.name, default: 0] += request.bytes.count
                entries.append(Entry(place: place, rank: rank ?? 0, request: request))
            } catch {
                return .failure(try refuse(declared, error))
            }
        }
        entries.sort {
            $0.rank != $1.rank
                ? $0.rank < $1.rank : $0.request.bytes.lexicographicallyPrecedes($1.request.bytes)
        }
        guard let first = entries.first?.request.endpoint else { return .success([]) }
        guard let moment = TimeGrid.requests.moment(after: clock.seconds - start) else {
            return .failure(try refuse(first, .tooLate(first)))
        }
        clock.wait(until: start + moment)
        if let refusal = try recorder.admit(entries.map(\.request)) {
            return .failure(try refuse(first, refusal))
        }
        var ends = [End](repeating: .failure(.outOfTime(first)), count: asks.count)
        try send(entries, &ends)
        start = clock.seconds
        return .success(ends)
    }

    /// Looks the names up, records, sends: in no more time than one request may take.
    private mutating func send(_ entries: [Entry], _ ends: inout [End]) throws(Diagnostic) {
        let deadline = clock.seconds + patience.whole
        // Whatever happens, no further call can come: a connection that is kept would tell when the run ends.
        defer { transport.close() }
        let destinations = try destinations(entries, by: deadline)
        let reached = entries.filter { entry in
            switch destinations[entry.rank] {
            case .success: return true
            case .failure(let refusal): ends[entry.place] = .failure(refusal)
            case nil: break
            }
            return false
        }
        var recorded: [(entry: Entry, sending: Sending, id: String)] = []
        for entry in reached {
            guard case .success(let destination)? = destinations[entry.rank] else { continue }
            let sending = Sending(entry.request, to: destination, together: reached.count)
            recorded.append((entry, sending, try recorder.recordSending(sending)))
        }
        var fault: Diagnostic?
        for (number, item) in recorded.enumerated() {
            let end: End
            do throws(Diagnostic) {
                if number > 0, let refusal = try recorder.recheck(item.entry.request) {
                    end = .failure(refusal)
                } else {
                    end = send(item.sending, by: deadline)
                }
            } catch {
                // Nobody knows whether it may leave, so it does not.
                fault = fault ?? error
                end = .failure(EgressRefusal(.notGranted, error))
            }
            ends[item.entry.place] = end
            // What has begun is finished, even where its end cannot be recorded.
            do throws(Diagnostic) { try recorder.recordEnd(of: item.id, end) } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    mutating func send(_ sending: Sending, by deadline: Double) -> End {
        let left = deadline - clock.seconds
        guard left > 0 else { return .failure(.outOfTime(sending.endpoint)) }
        var patience = patience
        patience.whole = min(patience.whole, left)
        return exchange(sending, within: patience)
    }

    /// Where the requests of each endpoint go, by its place in the manifest: each name is looked up once.
    private func destinations(
        _ entries: [Entry], by deadline: Double
    ) throws(Diagnostic) -> [Int: Result<Destination, EgressRefusal>] {
        var found: [Int: Result<Destination, EgressRefusal>] = [:]
        for entry in entries where found[entry.rank] == nil {
            let endpoint = entry.request.endpoint
            do throws(EgressRefusal) {
                guard clock.seconds < deadline else { throw .outOfTime(endpoint) }
                found[entry.rank] = .success(try destination(endpoint))
            } catch {
                try recorder.recordRefusal(of: endpoint, error)
                found[entry.rank] = .failure(error)
            }
        }
        return found
    }
}

extension EgressRefusal {
    /// Those before it took all the time there is.
    fileprivate static func outOfTime(_ endpoint: EgressEndpoint) -> EgressRefusal {
        EgressRefusal(
            .unreachable,
            Diagnostic(
                .noAnswer,
                "the requests that were sent together took all the time there is, so \(endpoint.name) was not sent"
            ))
    }
}
