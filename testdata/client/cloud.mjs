// A front end's use of the public client library against an environment in the cloud. config.ts
// beside this file configures it. All that the library sends to a host of the cloud is led to
// the stand-in that the first argument names.
import assert from 'node:assert/strict';
import http from 'node:http';
import { Amplify } from 'aws-amplify';
import { get, post } from 'aws-amplify/api';
import { fetchAuthSession, signIn, signOut } from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { AdminCreateUserCommand, AdminSetUserPasswordCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';

const standIn = new URL(process.argv[2]);
const hosts = new Set();
globalThis.fetch = (url, options = {}) => new Promise((resolve, reject) => {
  const to = new URL(url);
  hosts.add(to.host);
  // The host is a part of the signature of a call of the API; the other calls have none.
  const host = to.host.includes('.execute-api.') ? to.host : standIn.host;
  const headers = { ...Object.fromEntries(new Headers(options.headers)), host };
  const request = http.request({ host: standIn.hostname, port: standIn.port, path: to.pathname + to.search, method: options.method, headers }, async (answer) => {
    const chunks = [];
    for await (const chunk of answer) chunks.push(chunk);
    resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode, headers: { 'content-type': answer.headers['content-type'] ?? '' } }));
  });
  request.on('error', reject);
  request.end(options.body);
});

// The library keeps tokens where a browser would.
const stored = new Map();
cognitoUserPoolsTokenProvider.setKeyValueStorage({
  setItem: async (key, value) => void stored.set(key, value),
  getItem: async (key) => stored.get(key) ?? null,
  removeItem: async (key) => void stored.delete(key),
  clear: async () => stored.clear(),
});

const { Auth: { Cognito: pools } } = Amplify.getConfig();

// A person of the project makes a user.
const [username, password] = ['emma', 'Passw0rd!'];
const region = pools.userPoolId.split('_')[0];
const admin = new CognitoIdentityProviderClient({ region, endpoint: standIn.href, credentials: { accessKeyId: process.argv[3], secretAccessKey: 'x' } });
await admin.send(new AdminCreateUserCommand({ UserPoolId: pools.userPoolId, Username: username, MessageAction: 'SUPPRESS' }))
  .catch((error) => assert.equal(error.name, 'UsernameExistsException'));
await admin.send(new AdminSetUserPasswordCommand({ UserPoolId: pools.userPoolId, Username: username, Password: password, Permanent: true }));

const status = async (call, path) => {
  try {
    const options = call === post ? { body: { name: 'Ünïcode' } } : {};
    const response = await call({ apiName: 'shop', path, options }).response;
    await response.body.text();
    return response.statusCode;
  } catch (error) {
    return error.response?.statusCode ?? String(error);
  }
};
const answers = async () => ({
  news: await status(get, '/news'), items: await status(get, '/items/1?q=a%20b'), create: await status(post, '/items'), drafts: await status(get, '/drafts'),
});

const guest = await answers();
await signIn({ username, password });
const { identityId, tokens } = await fetchAuthSession();
assert.ok(identityId.startsWith(region + ':'));
assert.equal(tokens.idToken.payload.aud, pools.userPoolClientId);
const user = await answers();
await signOut();
console.log(JSON.stringify({ guest, user, hosts: [...hosts].sort() }));
