import EscrowDiagnostics
import EscrowManifest
import EscrowSandbox
import EscrowWire

/// Answers to a plugin that asks for files.
extension Computation {
    func answer(
        asset handle: String, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let asset: OpenAsset
        do throws(AssetRefusal) { asset = try open(handle, among: kinds) } catch {
            switch error {
            case .answer(let code, let message):
                return try send(session.answer(error: code, message: message), to: process)
            case .limit(let limit): throw .limit(limit)
            }
        }
        var waiting = session.answer(asset: asset.size, mediaType: asset.mediaType)
        try send(asset, behind: &waiting, to: process)
        if !waiting.isEmpty { try send(waiting, to: process) }
    }

    func answer(
        assets handles: [String], _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        var files: [OpenAsset] = []
        var answers: [AssetAnswer] = []
        for handle in handles {
            do throws(AssetRefusal) {
                let asset = try open(handle, among: kinds)
                files.append(asset)
                answers.append(.file(bytes: asset.size, mediaType: asset.mediaType))
            } catch {
                switch error {
                case .answer(let code, let message):
                    answers.append(.error(code: code, message: message))
                case .limit(let limit): throw .limit(limit)
                }
            }
        }
        var waiting = session.answer(assets: answers)
        for file in files { try send(file, behind: &waiting, to: process) }
        if !waiting.isEmpty { try send(waiting, to: process) }
    }

    private var kinds: [String] { manifest.accepts.columns.flatMap(\.mediaTypes) }

    /// How much is gathered before it is written: to a server each writing is a message.
    private static let gathered = 256 << 10

    /// Hands a file out, behind what waits to be written; a part of it may wait in turn.
    private func send(
        _ asset: OpenAsset, behind waiting: inout [UInt8], to process: any PluginProcess
    ) throws(Stop) {
        var left = asset.size
        while left > 0 {
            guard let piece = asset.read(min(left, 65_536)), !piece.isEmpty else {
                // The announced length cannot be taken back: a file that shrank ends the run.
                throw .host(
                    Diagnostic(
                        .sourceChangedWhileRead, "a file that the plugin asked for changed while it was read",
                        help: "run the command again"))
            }
            waiting += piece
            left -= piece.count
            if waiting.count >= Self.gathered {
                try send(waiting, to: process)
                waiting = []
            }
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
}
