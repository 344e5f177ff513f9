/** Text of the document that applies to every call. */
export const INTRODUCTION = `The JSON API of the Maru staff portal, made from the project's contract by \`npm run openapi\`.

**Envelope.** Every call is a POST. Request and success carry \`{"DATA": "…"}\`: the JSON text in UTF-8, encrypted with AES-256-CBC and PKCS#7 padding, as standard Base64 of the bare ciphertext. Key and IV are the deployment's ENVELOPE_KEY (32 ASCII bytes) and ENVELOPE_IV (16 ASCII bytes). Both are in every client, so this is obfuscation; what keeps a secret is TLS. A call without fields may come with no body, \`{}\`, or DATA holding \`{}\`. In the schemas, DATA's \`contentSchema\` is the schema of the decrypted JSON.

**Failures** are never encrypted: \`{"code": "STABLE_UPPER_SNAKE", "msg": "…"}\`. Decide by \`code\`; \`msg\` is for the person, in Korean unless Accept-Language prefers English. An unknown path is 404 \`PATH_NOT_FOUND\` and another method 405 \`METHOD_NOT_ALLOWED\`.

**Session.** \`/api/stm/v1/login\` answers SESSION_UID; send it in the header SessionId. \`x-access\` says who may make a call.

**Values.** Times are \`YYYY-MM-DD HH:mm:ss\` in Asia/Seoul, dates \`YYYY-MM-DD\`. In filters, empty or \`ALL\` means no filter. Limits are numbers, -1 = no limit.`
