import EscrowDiagnostics
import EscrowManifest

/// A token that ran out is asked for anew before a request is sent in the individual's name. It is recorded like any request, without
/// what it carries.
extension Mediator {
    /// Asks where it must be asked; why the request cannot be sent, if it cannot.
    func renewToken(for endpoint: EgressEndpoint) throws(EgressRefusal) {
        guard endpoint.hasCredential else { return }
        let server = endpoint.template.own ?? endpoint.template.host
        do throws(Diagnostic) {
            guard let token = try credentials.renewal(for: server) else { return }
            let own = token.url.own.flatMap { ownServers[$0] }
            // They gave the refresh token for the server that was set then.
            if let own, own.time > token.since {
                throw Diagnostic(
                    .ownServerChanged,
                    "you set another place for your server \"\(token.url.own ?? "")\" after you added what you keep for \(server), so \(endpoint.name) was not sent",
                    help: "escrow credential add \(server) --kind oauth2 --token-url …")
            }
            let destination: Destination
            do throws(EgressRefusal) {
                destination = try self.destination(token.url, named: endpoint.name, isMail: false, pins: [])
            } catch { throw error.diagnostic }
            let sending = Sending(token: token.request(at: own), endpoint: endpoint, to: destination)
            let id = try recorder.recordSending(sending)
            let end = exchange(token: sending, endpoint)
            try recorder.recordEnd(of: id, end)
            if case .success(let answer) = end, answer.status == 200,
                try credentials.keep(answer.body, to: token)
            {
                return
            }
            // Another run may have renewed it first; then its token counts.
            guard try credentials.renewal(for: server) != nil else { return }
            throw Diagnostic(
                .noCredential,
                "\(endpoint.name) is sent in your name, and what you keep for \(server) could not be renewed",
                help: "escrow credential add \(server) --kind oauth2 --token-url …")
        } catch {
            throw EgressRefusal(.notGranted, error)
        }
    }

    private func exchange(
        token sending: Sending, _ endpoint: EgressEndpoint
    ) -> Result<IncomingResponse, EgressRefusal> {
        let limits = ExchangeLimits(
            mediaType: "application/json", maxBytes: 1 << 16, isUnlinkable: true, patience: patience)
        do throws(TransportFailure) {
            return .success(
                try transport.exchange(sending.request, with: sending.destination, limits: limits))
        } catch {
            return .failure(
                EgressRefusal(
                    .unreachable,
                    Diagnostic(
                        .noAnswer, "the token for \(endpoint.name) was asked for, but \(error.rawValue)")))
        }
    }
}
