internal import CCurl

/// One call under way.
final class Transfer {
    let easy: UnsafeMutableRawPointer?
    private(set) var outcome = Call.Outcome.unreachable
    private var body: [UInt8] = []
    private let longest: Int
    let server: ServerAddress
    private var lists: UnsafeMutablePointer<curl_slist>?

    init(_ call: Call, seconds: Int, longest: Int) {
        self.longest = longest
        server = call.server
        easy = curl_easy_init()
        guard let easy else { return }
        for header in ["Expect:", "Content-Type:"] + (call.key.map { ["Authorization: Bearer \($0)"] } ?? [])
        {
            lists = curl_slist_append(lists, header)
        }
        func set(_ option: CURLoption, _ value: Int) { _ = escrow_curl_set_number(easy, option, value) }
        func set(_ option: CURLoption, _ value: String) { _ = escrow_curl_set_text(easy, option, value) }
        set(CURLOPT_URL, call.server.url + call.path)
        set(CURLOPT_PROTOCOLS_STR, "https")
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CONNECTTIMEOUT, max(5, seconds / 4))
        set(CURLOPT_TIMEOUT, seconds)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // The key is the proof, and nobody else's word.
        set(CURLOPT_SSL_VERIFYPEER, 0)
        set(CURLOPT_SSL_VERIFYHOST, 0)
        set(CURLOPT_PINNEDPUBLICKEY, call.server.pin)
        if !call.body.isEmpty || call.method != "GET" {
            _ = call.body.withUnsafeBytes { escrow_curl_set_body(easy, $0.baseAddress, $0.count) }
        }
        set(CURLOPT_CUSTOMREQUEST, call.method)
        _ = escrow_curl_set_list(easy, CURLOPT_HTTPHEADER, lists)
        _ = escrow_curl_collect(
            easy,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    ? size * count : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lists)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= longest else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    var isAnswered: Bool { if case .answered = outcome { true } else { false } }

    /// Whether the request went out, and so somebody with the server's key was there.
    var isReached: Bool {
        var sent = 0
        return isAnswered
            || escrow_curl_number(easy, CURLINFO_REQUEST_SIZE, &sent) == CURLE_OK && sent > 0
    }

    func end(_ code: CURLcode) {
        var status = 0
        switch code {
        case CURLE_OK where escrow_curl_number(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK:
            outcome = .answered(status: status, body: body)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: outcome = .stranger
        default: outcome = .unreachable
        }
    }
}
