internal import EscrowFormats

/// The addresses that one mail was sent to, one after another.
struct MailRecipients {
    struct Recipient {
        /// Its place among all of the mail, from 1.
        let position: Int64
        /// Which field it stands in.
        let kind: StaticString
        let address: MailAddress
    }

    private var fields: [(kind: StaticString, text: ArraySlice<UInt8>)]
    private var list: MailAddressList?
    private var nextField = 0
    private var position: Int64 = 0

    init(_ headers: MailHeaders) {
        fields = headers.all(.to).map { ("to", $0) }
        fields += headers.all(.cc).map { ("cc", $0) }
        fields += headers.all(.bcc).map { ("bcc", $0) }
    }

    mutating func next() -> Recipient? {
        while true {
            if let address = list?.next() {
                position += 1
                return Recipient(position: position, kind: fields[nextField - 1].kind, address: address)
            }
            guard nextField < fields.count else { return nil }
            list = MailAddressList(fields[nextField].text)
            nextField += 1
        }
    }
}
