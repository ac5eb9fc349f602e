package import EscrowDiagnostics
import EscrowEgress
package import EscrowJSON
package import EscrowManifest
package import EscrowSandbox
import EscrowSchema
import EscrowTabular
package import EscrowWire

/// Step 9 of a run: one fresh process, fed with Ds, until it has given a result or broken a rule.
///
/// The plugin asks, the host answers; one ask at a time, so neither side can wait for the other for ever. What the
/// plugin wrote counts only if the process ended cleanly: until then the result is held here.
package struct Computation {
    package let plugin: PluginIdentity
    package let manifest: Manifest
    package let limits: RunLimits
    package let rows: RowStream
    package let assets: any AssetReader
    /// Whether pictures are handed out without what they say of themselves.
    package let stripsFiles: Bool
    /// Sends requests; nil where the manifest declares none.
    package let fetcher: (any Fetcher)?
    /// What the run came to, also where it fails.
    package let record: ComputationRecord
    package let progress: (Double) -> Void
    /// Takes what the plugin wrote on stderr.
    package let log: ([UInt8]) -> Void

    package init(
        plugin: PluginIdentity, manifest: Manifest, limits: RunLimits, rows: RowStream,
        assets: any AssetReader, stripsFiles: Bool, fetcher: (any Fetcher)?, record: ComputationRecord,
        progress: @escaping (Double) -> Void, log: @escaping ([UInt8]) -> Void
    ) {
        self.plugin = plugin
        self.manifest = manifest
        self.limits = limits
        self.rows = rows
        self.assets = assets
        self.stripsFiles = stripsFiles
        self.fetcher = fetcher
        self.record = record
        self.progress = progress
        self.log = log
    }

    /// What a computation gave, and what it took.
    package struct Product {
        package var payload: ResultPayload
        package var outcome: Outcome
    }

    /// Speaks the protocol, or pipes the rows through a filter, as the manifest says.
    package func run(
        _ process: any PluginProcess, run id: String, arguments: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) -> Product {
        switch manifest.plugin.mode {
        case .ask: try converse(process, run: id, arguments: arguments)
        case .filter(let input): try pipe(process, as: input)
        }
    }

    private func converse(
        _ process: any PluginProcess, run id: String, arguments: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) -> Product {
        var session = Session(
            run: id, schema: rows.schema, parameters: arguments, features: manifest.plugin.wireFeatures,
            resultKind: manifest.result.wireKind, limits: SessionLimits(resultBytes: manifest.result.maxBytes)
        )
        var end: End?
        do throws(Stop) {
            let greeting = session.start()
            try send(greeting, to: process)
            while true {
                let bytes: [UInt8]
                do { bytes = try process.read(max: 65_536) } catch { throw .ended }
                if bytes.isEmpty { break }
                for event in try receive(bytes, &session) {
                    switch event {
                    case .rows(let limit, _): try answerRows(limit, &session, process)
                    case .asset(let handle): try answerAsset(handle, &session, process)
                    case .fetch(let request): try answer(request, &session, process)
                    case .fetchTogether(let requests): try answer(together: requests, &session, process)
                    case .send(let bytes): try send(bytes, to: process)
                    case .progress(let fraction, _): progress(fraction)
                    case .hello, .log: break
                    case .result(let payload):
                        try requireRead(greeting.count, process)
                        end = .result(payload)
                    case .refusal(let code, _): end = .refusal(code)
                    }
                }
            }
            try close(&session)
        } catch {
            throw stop(process, error)
        }
        let outcome = try finish(process)
        switch end {
        case .result(let payload):
            return Product(payload: payload, outcome: outcome)
        case .refusal(let code): throw fetcher?.lastRefusal?.diagnostic ?? refusal(code)
        case nil: throw rule(WireError(.noResult, line: 0, "the plugin ended without a result"))
        }
    }

    /// What a conversation came to.
    private enum End {
        case result(ResultPayload)
        case refusal(RefusalCode)
    }

    /// Why a conversation stopped early.
    enum Stop: Error {
        /// The process is gone, or closed its side; its outcome says why.
        case ended
        /// A rule of the protocol was broken.
        case rule(WireError)
        /// The output ended before there was a result.
        case unfinished(WireError)
        /// The host's own side failed: a source.
        case host(Diagnostic)
        /// What the host counts is used up.
        case limit(Outcome.Limit)
    }

    private func close(_ session: inout Session) throws(Stop) {
        do { try session.endOfOutput() } catch { throw .unfinished(error) }
    }

    private func receive(_ bytes: [UInt8], _ session: inout Session) throws(Stop) -> [SessionEvent] {
        do { return try session.receive(bytes) } catch { throw .rule(error) }
    }

    private func answerRows(
        _ limit: Int, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let next: (batch: Batch, more: Bool)
        do throws(RowStream.Stop) { next = try rows.take(limit: limit) } catch {
            switch error {
            case .limit(let limit): throw .limit(limit)
            case .failed(let diagnostic): throw .host(diagnostic)
            }
        }
        let pieces: [[UInt8]]
        do { pieces = try session.answer(batch: next.batch, more: next.more) } catch {
            throw .host(Diagnostic(.ownFault, "rows could not be encoded: \(error)"))
        }
        for piece in pieces { try send(piece, to: process) }
        rows.prefetch()
    }

    private func answerAsset(
        _ handle: String, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let asset: OpenAsset
        do throws(AssetRefusal) {
            asset = try open(handle, among: manifest.accepts.columns.flatMap(\.mediaTypes))
        } catch {
            switch error {
            case .answer(let code, let message):
                return try send(session.answer(error: code, message: message), to: process)
            case .limit(let limit): throw .limit(limit)
            }
        }
        try send(session.answer(asset: asset.size, mediaType: asset.mediaType), to: process)
        var sent = 0
        while sent < asset.size {
            guard let piece = asset.read(65_536), !piece.isEmpty else {
                // The announced length cannot be taken back: a file that shrank ends the run.
                throw .host(
                    Diagnostic(
                        .sourceChangedWhileRead, "a file that the plugin asked for changed while it was read",
                        help: "run the command again"))
            }
            try send(piece.prefix(asset.size - sent), to: process)
            sent += piece.count
        }
    }

    /// Why a file is not handed out.
    enum AssetRefusal: Error {
        /// The plugin is told.
        case answer(code: String, message: String)
        case limit(Outcome.Limit)
    }

    /// Opens a file that a row of this run named, of one of these kinds, as the individual lets it be seen; counts it.
    func open(_ handle: String, among types: [String]) throws(AssetRefusal) -> OpenAsset {
        guard record.assets < limits.sandbox.assets else { throw .limit(.assets) }
        guard let asset = assets.open(handle) else {
            throw .answer(code: "asset-unavailable", message: "no such asset in this run's rows")
        }
        let head = asset.head(MediaSignature.reach)
        guard let mediaType = MediaSignature.type(among: types, named: asset.mediaType, head) else {
            throw .answer(
                code: "asset-type", message: "the file is of none of the media types in the manifest")
        }
        if stripsFiles, !asset.strip(mediaType) {
            throw .answer(
                code: "asset-unstripped", message: "what the file says of itself cannot be left out of it")
        }
        guard asset.size <= limits.sandbox.assetBytes - record.assetBytes else { throw .limit(.assetBytes) }
        record.assets += 1
        record.assetBytes += asset.size
        asset.mediaType = mediaType
        return asset
    }

    func send(_ bytes: some Collection<UInt8>, to process: any PluginProcess) throws(Stop) {
        do { try process.write(Array(bytes)) } catch { throw .ended }
        record.writtenBytes += bytes.count
    }

    /// A result that was there before the plugin knew what is asked is no answer: a process that was made ready for some
    /// run would hand over what it brought along.
    private func requireRead(_ greeting: Int, _ process: any PluginProcess) throws(Stop) {
        guard record.writtenBytes - process.unreadInput < greeting else { return }
        throw .rule(WireError(.outOfTurn, line: 0, "a result before the host's greeting was read"))
    }

    /// Ends the process and tells the cause that came first: a process that the sandbox ends in the middle of a line
    /// breaks the protocol as well, but that is not what happened.
    private func stop(_ process: any PluginProcess, _ why: Stop) -> Diagnostic {
        let broken: WireError
        switch why {
        case .ended: broken = WireError(.noResult, line: 0, "it closed its input before it gave a result")
        case .unfinished(let error): broken = error
        case .rule(let error):
            process.kill(reason: .protocolError)
            broken = error
        case .host(let diagnostic):
            process.kill(reason: .hostError)
            return end(process, unless: .killedByHost(.hostError)) ?? diagnostic
        case .limit(let limit):
            process.end(at: limit)
            broken = WireError(.noResult, line: 0, "it ended before it gave a result")
        }
        let outcome = ended(process)
        if let failure = record.failure { return failure }
        // One that lives on with a pipe closed is ended for lingering; what it did wrong came before.
        if [.killedByHost(.protocolError), .killedByHost(.lingered)].contains(outcome.status) {
            return rule(broken)
        }
        return tell(outcome) ?? rule(broken)
    }

    func finish(_ process: any PluginProcess) throws(Diagnostic) -> Outcome {
        let outcome = ended(process)
        if let diagnostic = tell(outcome) { throw diagnostic }
        return outcome
    }

    /// Waits for the end and keeps what it came to.
    func ended(_ process: any PluginProcess) -> Outcome {
        let outcome = process.finish()
        log(outcome.log)
        record.outcome = outcome
        record.failure = process.failure
        return outcome
    }

    /// Waits for the end and says what it was; nil after a clean end, and where it was the host's doing.
    func end(_ process: any PluginProcess, unless own: Outcome.Status) -> Diagnostic? {
        let outcome = ended(process)
        return outcome.status == own ? nil : tell(outcome)
    }

    func tell(_ outcome: Outcome) -> Diagnostic? {
        if let failure = record.failure { return failure }
        // A plugin that fails after a refused request fails because of it.
        if case .exited(let code) = outcome.status, code != 0, let refusal = fetcher?.lastRefusal {
            return refusal.diagnostic
        }
        return outcome.diagnostic(
            plugin: plugin.shortName, version: plugin.version, fed: record.fed(rows),
            capped: limits.cappedInSandbox)
    }

    func rule(_ error: WireError) -> Diagnostic {
        Diagnostic(
            error.code.diagnosticCode,
            "\(plugin.shortName) \(plugin.version) broke the plugin protocol: \(error.sentence)",
            notes: error.line > 0
                ? ["line \(error.line) of what it wrote; nothing was returned"] : ["nothing was returned"],
            help: "plugin authors: escrow plugin test; everybody else: worth reporting to its publisher")
    }

    private func refusal(_ code: RefusalCode) -> Diagnostic {
        Diagnostic(
            code.diagnosticCode,
            "\(plugin.shortName) \(plugin.version) refused: \(code.rawValue)",
            notes: ["what it says of the reason may hold data and is kept out of this message"])
    }
}

/// How messages name a plugin.
package struct PluginIdentity {
    package let id: String
    package let version: String

    package init(_ manifest: Manifest) {
        id = manifest.id
        version = manifest.version.description
    }

    /// The last label of the id.
    package var shortName: String { id.split(separator: ".").last.map(String.init) ?? id }
}

/// Opens the assets whose handles went out in rows of this run.
package protocol AssetReader {
    func open(_ handle: String) -> OpenAsset?
}
