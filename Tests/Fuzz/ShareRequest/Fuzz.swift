import EscrowShareService
import EscrowShareWire
import Glibc

/// A service with one group, in memory's file system; requests come one after the other.
nonisolated(unsafe) private let store: FileStore = {
    let path = "/dev/shm/escrow-fuzz-\(getpid())"
    atexit { for end in ["", "-wal", "-shm"] { unlink("/dev/shm/escrow-fuzz-\(getpid())\(end)") } }
    guard let store = try? FileStore(path) else { fatalError("no store") }
    return store
}()
nonisolated(unsafe) private let service = ShareService(store)

private let keys: AccessKeys = {
    let opening = ShareRequest(
        method: .post, path: "/groups", body: Opening(group: "g", node: "o", timeToLive: 1000).bytes)
    guard let answer = try? service.answer(opening, at: 0), let keys = try? AccessKeys(answer.body) else {
        fatalError("no group")
    }
    return keys
}()
nonisolated(unsafe) private var now: Int64 = 0

/// The first byte chooses method and key, then the path up to a line's end, then the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    let parts = bytes.dropFirst().split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let key = [nil, keys.access, keys.master, "x"][Int(first >> 2 & 3)]
    let request = ShareRequest(
        method: ShareRequest.Method.allCases[Int(first & 3)],
        path: String(decoding: parts.first ?? [], as: UTF8.self),
        after: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil, key: key,
        body: Array(parts.last ?? []))
    // The group itself stays, for the requests that follow.
    guard !(request.method == .delete && key == keys.master) else { return 0 }
    now += 7
    guard let limit = try? service.bodyLimit(request), let answer = try? service.answer(request, at: now),
        (try? service.sweep(at: now)) != nil
    else { preconditionFailure("a request brings the service down") }
    precondition(limit == 0 || key == keys.access || request.method == .post, "a stranger's body is taken")
    precondition(
        [200, 201, 204, 400, 401, 404, 409, 413, 429, 507].contains(answer.status), "a status that is none")
    let isKnown = key == keys.access || key == keys.master
    precondition(isKnown || answer.status >= 400 || request.path == "/groups", "a stranger is served")
    precondition(store.due.map { $0 > now } ?? true, "what is due was not swept")
    return 0
}
