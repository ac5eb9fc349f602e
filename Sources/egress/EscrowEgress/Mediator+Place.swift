import EscrowDiagnostics
import EscrowJSON
import EscrowManifest

/// A request that tells a place. The host fills the place in, and where it takes k requests to hide the true one, sends them all.
extension Mediator {
    /// Sends the true request and its dummies: one order, that of the places; one size; a connection each. Only the true
    /// answer is kept, and none is waited for less than another.
    mutating func fetch(
        placeOf endpoint: EgressEndpoint, _ fields: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) -> Result<IncomingResponse, EgressRefusal> {
        let told: PlacesToSend
        switch try places.places(for: endpoint) {
        case .success(let places): told = places
        case .failure(let refusal): return .failure(try refuse(endpoint, refusal))
        }
        let requests: [PreparedRequest]
        do throws(EgressRefusal) { requests = try prepare(endpoint, fields, told) } catch {
            return .failure(try refuse(endpoint, error))
        }
        guard let moment = TimeGrid.requests.moment(after: clock.seconds - start) else {
            return .failure(try refuse(endpoint, .tooLate(endpoint)))
        }
        clock.wait(until: start + moment)
        if let refusal = try recorder.admit(requests) { return .failure(try refuse(endpoint, refusal)) }
        calls[endpoint.name, default: 0] += 1
        let destination: Destination
        do throws(EgressRefusal) { destination = try self.destination(endpoint) } catch {
            start = clock.seconds
            return .failure(try refuse(endpoint, error))
        }
        var recorded: [(sending: Sending, id: String)] = []
        for (number, request) in requests.enumerated() {
            var sending = Sending(request, to: destination)
            sending.place = SentPlace(
                exactness: told.exactness, isDummy: number != told.truth, count: requests.count)
            recorded.append((sending, try recorder.recordSending(sending)))
            bytes[endpoint.name, default: 0] += request.bytes.count
        }
        let end = try send(recorded, requests, truth: told.truth)
        if endpoints.allSatisfy({ calls[$0.name] ?? 0 >= $0.maxCalls }) { transport.close() }
        start = clock.seconds
        return end
    }

    /// The requests for all points, as long as the longest of them.
    private func prepare(
        _ endpoint: EgressEndpoint, _ fields: [(name: String, value: JSONValue)], _ told: PlacesToSend
    ) throws(EgressRefusal) -> [PreparedRequest] {
        var requests: [PreparedRequest] = []
        for point in told.points { requests.append(try prepare(endpoint, fields, at: point)) }
        let longest = requests.map(\.bytes.count).max() ?? 0
        requests = requests.map { $0.padded(to: longest) }
        if let most = endpoint.maxBytes, bytes[endpoint.name] ?? 0 > most - longest * requests.count {
            throw .tooManyBytes(endpoint, most)
        }
        return requests
    }

    /// Sends all, whatever becomes of one; the end of the true one.
    private mutating func send(
        _ recorded: [(sending: Sending, id: String)], _ requests: [PreparedRequest], truth: Int
    ) throws(Diagnostic) -> Result<IncomingResponse, EgressRefusal> {
        let deadline = clock.seconds + patience.whole
        var kept: Result<IncomingResponse, EgressRefusal>?
        var fault: Diagnostic?
        for (number, item) in recorded.enumerated() {
            var end: Result<IncomingResponse, EgressRefusal>
            do throws(Diagnostic) {
                if number > 0, let refusal = try recorder.recheck(requests[number]) {
                    end = .failure(refusal)
                } else {
                    end = send(item.sending, by: deadline)
                }
            } catch {
                fault = fault ?? error
                end = .failure(EgressRefusal(.notGranted, error))
            }
            if number == truth { kept = end }
            do throws(Diagnostic) { try recorder.recordEnd(of: item.id, end) } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        return kept ?? .failure(.placeNotTold("no place is known"))
    }
}

extension PreparedRequest {
    /// The same with blanks behind a header's value, which are no part of it (RFC 9112 section 5): of requests of one size
    /// nobody on the way can tell which is whose.
    func padded(to count: Int) -> PreparedRequest {
        let missing = count - bytes.count
        guard missing > 0 else { return self }
        let request = filled.request
        let headers = request.headers.map { header in
            header.name == "accept-encoding"
                ? OutgoingRequest.Header(
                    name: header.name, value: header.value + String(repeating: " ", count: missing))
                : header
        }
        return PreparedRequest(
            endpoint: endpoint,
            filled: RequestTemplate.Filled(
                request: OutgoingRequest(
                    method: request.method, host: request.host, target: request.target, headers: headers,
                    body: request.body), values: filled.values))
    }
}
