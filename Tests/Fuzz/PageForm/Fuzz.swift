/// What a browser sends: a form and a cookie. What is read must be what was written, and what is put into an address must come
/// back out of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPageForm(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    if let form = FormBody(bytes) {
        precondition(form.fields.count <= FormBody.maximumFields, "too many fields")
        let written = form.fields.map { "\(Address.encoded($0.name))=\(Address.encoded($0.value))" }
            .joined(separator: "&")
        if written.utf8.count <= FormBody.maximumBytes {
            precondition(FormBody(Array(written.utf8)) == form, "a form reads differently")
        }
        for field in form.fields {
            let encoded = Address.encoded(field.value)
            precondition(
                encoded.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && $0 != 0x22 && $0 != 0x2F && $0 != 0x3C },
                "an address that leads elsewhere")
            if let one = form[field.name] { precondition(form.all(field.name) == [one], "two of one name") }
        }
    }
    let header = String(decoding: bytes, as: UTF8.self)
    if let value = CookieHeader.value(of: "escrow-page", in: header) {
        precondition(!value.utf8.contains(UInt8(ascii: ";")), "a cookie runs on")
        precondition(
            CookieHeader.value(of: "escrow-page", in: header + "; escrow-page=x") == nil,
            "two cookies are one")
    }
    return 0
}
