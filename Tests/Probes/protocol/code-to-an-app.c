// Returns a text for a number: the app learns of every failure the same.
// host: prints {"id":1,"error":{"code":"E0543","status":16,"message":"the plugin gave no result"}}
// through: an app
// ledger: E0523
// control: prints {"id":1,"result":{"value":{"n":1}}}
SAYS("{\"result\":{\"n\":\"1\"}}\n")
