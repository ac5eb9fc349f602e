import EscrowConsent
import EscrowDiagnostics
import EscrowEgress
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowLocationPrivacy
import EscrowManifest
import EscrowTrust

extension EgressDesk {
    /// Asks the grants and writes the ledger.
    final class Recorder: EgressRecorder {
        private let host: any RunHost
        private let run: String
        private let manifest: Manifest
        private let description: DataflowDescription
        private let grant: Grant?
        private let limit: GrantLimit?
        private let resolver: InterruptibleResolver
        private var number = 0
        /// How many bytes may still be sent.
        private var bytesLeft: Int
        /// What the run took of a budget of a day, and of which grant's; nil where that grant's was used up when it began.
        private var charge: RunCharge?
        private var charged: String?

        init(
            host: any RunHost, run: String, manifest: Manifest, description: DataflowDescription,
            decision: Decision, resolver: InterruptibleResolver, bytes: Int
        ) {
            bytesLeft = bytes
            self.host = host
            self.run = run
            self.manifest = manifest
            self.description = description
            grant = decision.grant
            limit = decision.limit
            self.resolver = resolver
        }

        func admit(_ requests: [PreparedRequest]) throws(Diagnostic) -> EgressRefusal? {
            guard let first = requests.first else { return nil }
            let isOne = requests.count == 1
            let unsent =
                isOne ? "\(first.endpoint.name) was not sent" : "none of \(requests.count) requests was sent"
            let (refusal, standing) = try look(unsent)
            if let refusal { return refusal }
            for request in requests {
                if let refusal = changedServer(of: request.endpoint, since: standing) { return refusal }
            }
            let bytes = requests.reduce(0) { $0 + $1.count }
            guard bytes <= bytesLeft else {
                let what =
                    isOne ? "the request to \(first.endpoint.name)" : "what \(requests.count) requests send"
                return EgressRefusal(.budget, .overAllowance(what, left: bytesLeft))
            }
            bytesLeft -= bytes
            guard let standing, let budget = standing.budget else { return nil }
            if try take(first.endpoint, bytes: bytes, of: budget, grant: standing.id) { return nil }
            return EgressRefusal(
                .budget,
                Diagnostic(
                    .egressBudgetUsedUp, "the budget of \(standing.id) for today is used up, so \(unsent)",
                    help: "escrow egress list shows what was sent; a new day is a new budget"))
        }

        /// Takes what the run can tell by sending nothing, before its plugin can choose that. A run that begins with a budget which is
        /// used up goes on, and sends nothing: that is no choice of its plugin's.
        func begin() throws(Diagnostic) {
            guard let grant, let budget = grant.budget else { return }
            charged = grant.id
            let start = RunCharge(manifest)
            if try take(bits: start.whole, bytes: 0, of: budget, grant: grant.id) { charge = start }
        }

        private func take(
            _ endpoint: EgressEndpoint, bytes: Int, of budget: EgressBudget, grant: String
        ) throws(Diagnostic) -> Bool {
            // Nothing was taken yet of a grant that was given since the run began.
            let before = charged == grant ? charge : nil
            guard charged != grant || before != nil else { return false }
            let next = (before ?? RunCharge(manifest)).adding(endpoint)
            let bits = next.whole - (before?.whole ?? 0)
            guard try take(bits: bits, bytes: bytes, of: budget, grant: grant) else { return false }
            (charge, charged) = (next, grant)
            return true
        }

        private func take(
            bits: Int, bytes: Int, of budget: EgressBudget, grant: String
        ) throws(Diagnostic) -> Bool {
            let day = String("\(try host.ledgerTime())".prefix(10))
            return try host.takeEgress(bits: bits, bytes: bytes, of: budget, grant: grant, day: day)
        }

        /// The individual allowed this for their own server as it was set then. Refuses where they set another since.
        private func changedServer(of endpoint: EgressEndpoint, since grant: Grant?) -> EgressRefusal? {
            guard let grant, let name = endpoint.template.own,
                let server = host.configuration.egress.ownServers[name], server.time > grant.createdAt
            else { return nil }
            return EgressRefusal(
                .notGranted,
                Diagnostic(
                    .ownServerChanged,
                    "you set another place for your server \"\(name)\" after you allowed this, so \(endpoint.name) was not sent",
                    help: "escrow grant revoke \(grant.id), then allow it anew"))
        }

        func recheck(_ request: PreparedRequest) throws(Diagnostic) -> EgressRefusal? {
            try look("\(request.endpoint.name) was not sent").refusal
        }

        /// The grant that stands now, or why nothing may be sent any more.
        private func look(_ unsent: String) throws(Diagnostic) -> (refusal: EgressRefusal?, standing: Grant?)
        {
            // A rule may have come, the device may have changed, and so may the individual's mind.
            let decision = try host.decideAnew(description, manifest, claimed: grant, of: run)
            // The run holds data by the limit that it began with. Where another limit stands now, that may be too much.
            guard decision.runs, decision.limit == limit, let standing = decision.grant else {
                let isRuled = !decision.runs && decision.isByRule
                let why =
                    isRuled
                    ? "a rule now forbids what this run began with"
                    : grant?.reason == .rule
                        ? "the rule that permitted this run no longer does"
                        : "the grant that this run began with no longer stands"
                let refusal = Diagnostic(.grantNoLongerStands, "\(why), so \(unsent)")
                return (EgressRefusal(.notGranted, refusal), nil)
            }
            return (nil, standing)
        }

        /// How many bits a request can carry: in its fields, by its moment, and by the choice of this endpoint.
        /// Requests that leave together count as one, by what all of them can carry: a run sends them once.
        private func bits(of endpoint: EgressEndpoint) -> Int {
            let endpoints = manifest.requests
            return Int(
                (EgressEndpoint.areTogether(endpoints)
                    ? EgressEndpoint.capacityBits(endpoints)
                    : manifest.budgetBits(of: endpoint, isFirst: number == 1)).rounded(.up))
        }

        func recordSending(_ sending: Sending) throws(Diagnostic) -> String {
            number += 1
            let id = "\(run).\(number)"
            let request = sending.request
            var fields: [(name: String, value: JSONValue)] = [
                ("id", .string(id)), ("app", .string(description.app)),
                ("plugin", .string(description.plugin.id)),
                ("endpoint", .string(sending.endpoint.name)), ("why", .string(sending.endpoint.why)),
                ("method", .string(request.method)), ("url", .string(request.url)),
                (
                    "headers",
                    .array(request.headers.map { ["name": .string($0.name), "value": .string($0.value)] })
                ),
            ]
            if let body = request.body {
                fields.append(("body", .string(String(decoding: body, as: UTF8.self))))
            }
            fields.append(
                (
                    "fields",
                    .array(
                        sending.values.map { value in
                            [
                                "name": .string(value.field.name), "value": .string(value.text),
                                "constant": .bool(value.field.constant != nil),
                                "place": value.field.part.map { .string($0.rawValue) } ?? .null,
                                "derivedFrom": .array(value.field.derivedFrom.map(JSONValue.string)),
                            ]
                        })
                ))
            if let payload = request.payload {
                fields.append(
                    (
                        "file",
                        [
                            "bytes": .integer(Int64(payload.size)), "mediaType": .string(payload.mediaType),
                        ]
                    ))
            }
            if sending.endpoint.hasCredential { fields.append(("credential", true)) }
            let bytes = request.bytes
            // Then `bits`, below, is what all of them together can carry, not this one alone.
            if let count = sending.together { fields.append(("together", .integer(Int64(count)))) }
            if let place = sending.place {
                fields.append(
                    (
                        "place",
                        [
                            "tells": .string(place.exactness.spelling), "dummy": .bool(place.isDummy),
                            "of": .integer(Int64(place.count)),
                        ]
                    ))
            }
            fields += [
                ("bits", .integer(Int64(bits(of: sending.endpoint)))),
                ("bytes", .integer(Int64(request.count))), ("sha256", .string(Digest(of: bytes).hexadecimal)),
                ("address", .string(sending.destination.authority)),
                (
                    "standIn",
                    .bool(sending.destination.isStandIn && sending.endpoint.template.own == nil)
                ),
            ]
            try host.record(.egressSent, run: run, of: description.app, .object(fields))
            return id
        }

        func recordEnd(
            of id: String, _ end: Result<IncomingResponse, EgressRefusal>
        ) throws(Diagnostic) {
            switch end {
            case .success(let response):
                try host.record(
                    .egressAnswered, run: run, of: description.app,
                    [
                        "id": .string(id), "status": .integer(Int64(response.status)),
                        "mediaType": .string(response.mediaType),
                        "bytes": .integer(Int64(response.body.count)),
                        "removed": .integer(Int64(response.removed)),
                        "removedNames": .array(response.removedNames.map(JSONValue.string)),
                        "droppedHeaders": .array(response.droppedHeaders.map(JSONValue.string)),
                    ])
            case .failure(let refusal):
                try host.record(
                    .egressAnswered, run: run, of: description.app,
                    [
                        "id": .string(id), "code": .string(refusal.diagnostic.code.rawValue),
                        "reason": .string(refusal.diagnostic.message),
                    ])
            }
        }

        func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) throws(Diagnostic) {
            // A look-up of a name that broke off because the run ended says nothing about that name.
            let reason =
                resolver.isCancelled ? "the run ended before it was sent" : refusal.diagnostic.message
            try host.record(
                .egressRefused, run: run, of: description.app,
                [
                    "app": .string(description.app), "plugin": .string(description.plugin.id),
                    "endpoint": endpoint.map { .string($0.name) } ?? .null,
                    "code": .string(refusal.diagnostic.code.rawValue), "reason": .string(reason),
                ])
        }
    }
}
