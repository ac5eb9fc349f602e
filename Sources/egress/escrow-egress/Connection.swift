import CCurl
import EscrowEgress
import EscrowJSON
import Glibc

/// A connection of libcurl: TCP to the one checked address, TLS 1.2 or later, the certificate checked for the name and its
/// key against the pins. We write the recorded bytes and read the answer with `AnswerReader`. curl_easy_setopt(3),
/// CURLOPT_CONNECT_ONLY(3)
final class Connection {
    private let curl: OpaquePointer
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let tls = UnsafeMutablePointer<escrow_curl_tls>.allocate(capacity: 1)
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// The socket of the host, who may go while a server is waited for.
    private let host: Int32
    private var descriptor: Int32 = -1

    init(
        to destination: Destination, roots: [UInt8], host: Int32, _ clock: ExchangeClock
    ) throws(TransportFailure) {
        guard let curl = curl_easy_init() else { throw .sender }
        self.curl = OpaquePointer(curl)
        self.host = host
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        tls.initialize(to: escrow_curl_tls())
        guard configure(destination, roots, clock) else { throw .sender }
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw failure(code) }
        guard escrow_curl_socket(handle, &descriptor) == CURLE_OK, descriptor >= 0 else { throw .closed }
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
        words.deallocate()
        tls.deallocate()
    }

    private var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(curl) }

    private func configure(_ destination: Destination, _ roots: [UInt8], _ clock: ExchangeClock) -> Bool {
        let scheme = destination.isPlain ? "http" : "https"
        let milliseconds = Int(min(clock.patience.connect, clock.patience.whole) * 1000)
        // The name goes into the certificate check and nowhere else: no second resolution.
        guard
            let place = curl_slist_append(
                nil, "\(destination.host):\(destination.port):\(destination.authority)")
        else { return false }
        lists.append(place)
        var isSet = [
            escrow_curl_set_words(handle, words), escrow_curl_watch_tls(handle, tls),
            set(CURLOPT_URL, "\(scheme)://\(destination.host):\(destination.port)/"),
            escrow_curl_set_list(handle, CURLOPT_CONNECT_TO, place),
            set(CURLOPT_PROTOCOLS_STR, scheme), set(CURLOPT_PROXY, ""), set(CURLOPT_NOSIGNAL, 1),
            set(CURLOPT_CONNECT_ONLY, 1), set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            set(CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds)),
            set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), set(CURLOPT_SSL_VERIFYPEER, 1),
            set(CURLOPT_SSL_VERIFYHOST, 2),
            // A session that is taken up again ties two connections together.
            set(CURLOPT_SSL_SESSIONID_CACHE, 0),
        ]
        // By which HTTP is agreed on: mail has none of it.
        if destination.isMail { isSet.append(set(CURLOPT_SSL_ENABLE_ALPN, 0)) }
        isSet += trust(destination.isStandIn ? roots : [])
        if !destination.pins.isEmpty {
            let pins = destination.pins.map { "sha256//" + Base64.encode($0) }
            isSet.append(set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";")))
        }
        return isSet.allSatisfy { $0 == CURLE_OK }
    }

    /// The system's authorities, and for a stand-in those of the individual as well.
    private func trust(_ roots: [UInt8]) -> [CURLcode] {
        let system = SystemRoots.path
        guard !roots.isEmpty else {
            // Without the one file curl looks where it was built to look.
            guard let system else { return [] }
            return [set(CURLOPT_CAINFO, system), escrow_curl_set_text(handle, CURLOPT_CAPATH, nil)]
        }
        let all = (system.map(SystemRoots.read) ?? []) + [0x0A] + roots
        return [
            all.withUnsafeBytes {
                escrow_curl_set_bytes(handle, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count)
            }, escrow_curl_set_text(handle, CURLOPT_CAPATH, nil),
        ]
    }

    private func set(_ option: CURLoption, _ value: Int) -> CURLcode {
        escrow_curl_set_number(handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) -> CURLcode {
        escrow_curl_set_text(handle, option, value)
    }

    // MARK: Bytes

    /// Whether nothing has come since the last answer: neither an end nor what would be read as the next answer.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        var count = 0
        return curl_easy_recv(handle, &byte, 1, &count) == CURLE_AGAIN
    }

    func send(_ bytes: [UInt8], _ clock: ExchangeClock) throws(TransportFailure) {
        var start = 0
        var progress = ExchangeClock.now
        // Nothing leaves for a host that has gone since it gave the order.
        wait(for: 0, 0)
        while start < bytes.count {
            let until = try clock.moment(ofReadingSince: progress)
            var count = 0
            let code = bytes.withUnsafeBytes {
                curl_easy_send(handle, $0.baseAddress! + start, $0.count - start, &count)
            }
            switch code {
            case CURLE_OK:
                start += count
                progress = ExchangeClock.now
            case CURLE_AGAIN: wait(for: POLLOUT, until)
            default: throw .closed
            }
        }
    }

    /// What has come: nil where nothing did until then, nothing at the connection's end.
    func receive(until: Double) throws(TransportFailure) -> [UInt8]? {
        var count = 0
        var code = CURLE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
            code = curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
            filled = code == CURLE_OK ? count : 0
        }
        switch code {
        case CURLE_OK:
            // An end without TLS's own: the answer may have been cut by anybody. RFC 8446 section 6.1
            if bytes.isEmpty, tls.pointee.has_begun != 0, tls.pointee.has_ended == 0 { throw .closed }
            return bytes
        case CURLE_AGAIN:
            wait(for: POLLIN, until)
            return nil
        default: throw .closed
        }
    }

    /// Waits for the server; where the host goes meanwhile, nobody waits for the answer.
    private func wait(for events: Int32, _ until: Double) {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: host, events: 0, revents: 0),
        ]
        let left = Int32(clamping: Int(((until - ExchangeClock.now) * 1000).rounded(.up)))
        guard poll(&waiting, 2, max(0, left)) > 0 else { return }
        if waiting[1].revents != 0 { exit(0) }
    }

    // MARK: Failures

    /// What libcurl's code means for the owner.
    private func failure(_ code: CURLcode) -> TransportFailure {
        switch code {
        case CURLE_COULDNT_CONNECT:
            var problem = 0
            let isKnown = escrow_curl_number(handle, CURLINFO_OS_ERRNO, &problem) == CURLE_OK
            return isKnown && problem == Int(ECONNRESET) ? .closed : .refused
        case CURLE_OPERATION_TIMEDOUT:
            return tls.pointee.has_begun != 0 ? .tlsTimeout : .connectTimeout
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: return .certificate
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .pin
        case CURLE_SSL_CONNECT_ERROR:
            // That the connection ended, and not TLS, libcurl says in words only.
            let text = String(cString: words)
            let ends = ["Recv failure:", "Send failure:", "OpenSSL SSL_connect:"]
            return ends.contains { text.hasPrefix($0) } || text.contains("unexpected eof") ? .closed : .tls
        default: return .closed
        }
    }
}
