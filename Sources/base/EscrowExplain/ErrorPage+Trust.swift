/// The pages of `escrow explain` for the codes E03xx.
extension ErrorPage {
    static let trustPages = #"""
        ## E0301 altered file
        The signature is good, but a file is not the one that was signed. Nothing was started.
        Example: one byte of the program was changed after installation.
        Do: fetch the package again. If this comes back, something on this machine changes files.

        ## E0302 unsigned
        Nobody signed it. Only signed plugins run; trying out your own is `escrow plugin test`, with mock data.
        Example: a folder with `plugin.json` alone.
        Do: `escrow plugin pack --key NAME`, or get it from its publisher.

        ## E0303 unknown signer
        It is signed, but by nobody whose key this host trusts. The key ids shown are claims.
        Example: the first package of a new publisher.
        Do: get the publisher's key by another route, compare the fingerprint, then `escrow trust add`.

        ## E0304 altered
        The signature by a trusted key does not fit the bytes: manifest or signature were changed.
        Example: `maxBytes` was raised in a signed manifest.
        Do: fetch the package again.

        ## E0305 rollback
        The package is older than one that was installed before, with the same key or with another that is trusted for it. Old
        versions can have holes that are known.
        Example: installing 1.1.0 (sequence 6) after 1.2.0 (sequence 7).
        Do: `escrow plugin install --allow-rollback FILE` if you mean it; the ledger records it.

        ## E0306 expired
        The signature's time is over.
        Example: a plugin whose `expires` was last month.
        Do: install a newer version. Check the clock if this seems wrong.

        ## E0307 not yet valid
        The manifest was issued more than a day in the future.
        Example: a machine whose clock is a year behind.
        Do: check the clock: `date -u`.

        ## E0308 revoked
        The owner of this host took back the trust in this key, manifest or version.
        Example: a key that was stolen.
        Do: install a newer version, or remove the plugin.

        ## E0309 wrong payload type
        The document is signed, but as something else. A signature counts for one kind of document only.
        Example: a signed grant in the place of a manifest.
        Do: get the right file.

        ## E0310 not for this installation
        The manifest names the installations that it is for, and this is none of them.
        Example: a plugin made for one company.
        Do: ask the publisher for a package for this installation.

        ## E0311 bad public key
        The key is not an Ed25519 key in its one spelling, or it is a point of small order, which would accept signatures that
        nobody made.
        Example: 32 bytes `01 00 … 00`.
        Do: do not trust it; ask its publisher how it came about.

        ## E0312 trust store not understood
        A line of `trust.signers`, or an entry to add, is not as it should be. The store is read whole or not at all, since a line
        that was skipped could be a restriction. Its lines end with a line feed, and hold no carriage return.
        Example: `* ed25519 …`
        Do: correct the line that is named; `escrow trust add` writes good ones.

        ## E0313 envelope damaged
        A signed document is not an envelope in its one spelling, byte for byte.
        Example: spaces between its members.
        Do: fetch it again.

        ## E0314 key file
        A private key file can be read by others, is not an Ed25519 key in PKCS #8 form, or would be overwritten.
        Example: a key with mode 0644.
        Do: `chmod 600 FILE`, or make a new key with `escrow key new`.

        ## E0315 rotation refused
        A key rotation must be signed by the old key and the new one; the old one must be trusted now, and neither revoked.
        Example: a statement signed by the new key alone.
        Do: ask the publisher for a statement signed by both.

        ## E0316 revocations refused
        The list of revocations has expired, does not grow, or is not understood.
        Example: an old copy of the list was put back.
        Do: sign it again with a higher sequence.

        ## E0317 signer not trusted for this
        The signer is known, but not for this plugin id, this kind of document, or at this time.
        Example: a key trusted for `org.example.*` signs `com.other.a`.
        Do: `escrow trust list` shows what each key is trusted for.

        ## E0318 too few signatures
        The trust store demands several distinct signers for this id, and fewer signed.
        Example: `threshold=2`, one signature.
        Do: ask the publisher for a package with all signatures.

        ## E0319 store damaged
        A file of the plugin store (`installed.json`, `ratchet.json`) cannot be read. It must not begin anew by itself: older versions
        could be passed off as new ones.
        Example: a disk that ran full.
        Do: put it back from a backup.

        ## E0321 file changed while read
        A file changed while it was copied or hashed, or a package between its being shown and your answer.
        Example: a build that is still running.
        Do: run the command again.

        ## E0322 not the installed version
        The plugin's folder holds another signed manifest than the one that was installed.
        Example: files of another version were copied over it, or an installation was interrupted.
        Do: install it again.

        ## E1390 package without key
        The package does not hold the public key of everyone who signed it, so there is no fingerprint to show. Packages of earlier
        versions hold none.
        Example: `escrow trust add 'org.example.*' --package old.escrow`.
        Do: ask the publisher for the key, and give it with `--key-file`; or pack the plugin anew.

        ## E1391 not that fingerprint
        No key of the package has the fingerprint that you gave. Nothing was trusted.
        Example: a package that somebody else signed in the publisher's name.
        Do: ask the publisher, by another route than the one by which the package came.
        """#
}
