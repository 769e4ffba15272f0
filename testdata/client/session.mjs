// A front end's use of the public client library, as its documentation shows it. config.ts
// beside this file configures it. The test that runs this script answers each question on
// standard output with a line on standard input. The script prints every secret that it gets,
// so that the test can check that no log has it.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Amplify } from 'aws-amplify';
import { del, get, head, patch, post, put } from 'aws-amplify/api';
import {
  confirmResetPassword, confirmSignIn, confirmSignUp, fetchAuthSession, fetchUserAttributes, getCurrentUser, resetPassword,
  setUpTOTP, signIn, signOut, signUp, updateMFAPreference, updatePassword, updateUserAttribute, verifyTOTPSetup,
} from 'aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito';
import { signRequest } from '@aws-amplify/core/internals/aws-client-utils';
import { JwtVerifier } from 'aws-jwt-verify';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = async (question) => {
  console.log(JSON.stringify(question));
  return (await lines.next()).value;
};
const secret = (text) => {
  console.log(JSON.stringify({ secret: text }));
  return text;
};
const step = (name) => console.log(JSON.stringify({ step: name }));

// refused returns the name and the message of an error.
const refused = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return 'nothing is refused';
};

const methods = { GET: get, POST: post, PUT: put, PATCH: patch, DELETE: del, HEAD: head };

// call calls the API through the library, and returns the status and the answer of the
// function.
const call = async (method, path, options = {}) => {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: { name: 'Ünïcode' } } : {};
  try {
    const response = await methods[method]({ apiName: 'shop', path, options: { ...body, ...options } }).response;
    return { status: response.statusCode, saw: method === 'HEAD' || method === 'DELETE' ? undefined : await response.body.json() };
  } catch (error) {
    return { status: error.response?.statusCode, said: error.response?.body ?? String(error) };
  }
};
const allows = async (method, path, options) => {
  const answer = await call(method, path, options);
  assert.equal(answer.status, 200, `${method} ${path} is answered ${JSON.stringify(answer)}`);
  return answer.saw;
};
const refuses = async (method, path, options) => {
  const answer = await call(method, path, options);
  assert.equal(answer.status, 403, `${method} ${path} is answered ${JSON.stringify(answer)}`);
  assert.match(answer.said, /is not authorized to perform: execute-api:Invoke on resource: /);
};

// The tokens that the library stores, so that they can be tried again after the sign-out.
const stored = new Map();
cognitoUserPoolsTokenProvider.setKeyValueStorage({
  setItem: async (key, value) => void stored.set(key, value),
  getItem: async (key) => stored.get(key) ?? null,
  removeItem: async (key) => void stored.delete(key),
  clear: async () => stored.clear(),
});
const refreshToken = () => [...stored].find(([key]) => key.endsWith('.refreshToken'))[1];

const { Auth: { Cognito: pools }, API: { REST: { shop } } } = Amplify.getConfig();

// session returns the session of the library, and prints its secrets.
const session = async (options) => {
  const found = await fetchAuthSession(options);
  for (const text of [found.tokens?.idToken, found.tokens?.accessToken, found.credentials?.secretAccessKey, found.credentials?.sessionToken]) {
    if (text) secret(String(text));
  }
  if (found.tokens) secret(refreshToken());
  return found;
};

// asks sends an operation to the user pool as the library does, without the library.
const asks = async (operation, input) => {
  const response = await fetch(pools.userPoolEndpoint, {
    method: 'POST', body: JSON.stringify(input),
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
  });
  return { status: response.status, ...await response.json() };
};

// signed sends a request that is signed with these credentials.
const signed = async (method, path, credentials) => {
  const request = signRequest({ method, url: new URL(shop.endpoint + path), headers: {} },
    { credentials, signingDate: new Date(), signingRegion: shop.region, signingService: 'execute-api' });
  return fetch(request.url, { method, headers: request.headers });
};

const totp = (key, ahead) => {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000) + ahead));
  const sum = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))).update(count).digest();
  return String((sum.readUInt32BE(sum[19] & 15) & 0x7fffffff) % 1000000).padStart(6, '0');
};

const username = process.argv[2];
let password = secret('Right-Horse-9 Battery');

step('a guest reads, and does nothing else');
const guest = await allows('GET', '/books');
const guestSession = await session();
assert.equal(guestSession.tokens, undefined);
assert.deepEqual(
  [guest.identity.cognitoAuthenticationType, guest.identity.cognitoIdentityId, guest.identity.cognitoIdentityPoolId, guest.identity.accessKey, guest.identity.cognitoAuthenticationProvider],
  ['unauthenticated', guestSession.identityId, pools.identityPoolId, guestSession.credentials.accessKeyId, null]);
for (const [method, path] of [['POST', '/books'], ['DELETE', '/books'], ['GET', '/books/1'], ['GET', '/staff'], ['GET', '/notes/1']]) {
  await refuses(method, path);
}
await allows('POST', '/open');
assert.equal((await fetch(shop.endpoint + '/books')).status, 200, 'a guest without credentials');

step('a weak password and a missing attribute are refused');
for (const [weak, why] of [
  ['Short-1', 'Password not long enough'], ['all-lower-case-1', 'Password must have uppercase characters'], ['ALL-UPPER-CASE-1', 'Password must have lowercase characters'],
  ['Without-Number', 'Password must have numeric characters'], ['WithoutSymbol1', 'Password must have symbol characters'],
]) {
  assert.equal(await refused(signUp({ username, password: secret(weak), options: { userAttributes: { email: username, name: 'Emma' } } })),
    `InvalidPasswordException: Password did not conform with policy: ${why}`);
}
assert.match(await refused(signUp({ username, password, options: { userAttributes: { email: username } } })),
  /^InvalidParameterException: Attributes did not conform to the schema: name: The attribute is required/);
assert.match(await refused(signUp({ username: 'no-address', password, options: { userAttributes: { name: 'Emma' } } })), /^InvalidParameterException: Username should be an email\./);

step('sign-up');
const begun = await signUp({ username, password, options: { userAttributes: { email: username, name: 'Emma Ünïcode' } } });
assert.equal(begun.isSignUpComplete, false);
assert.equal(begun.nextStep.signUpStep, 'CONFIRM_SIGN_UP');
assert.deepEqual([begun.nextStep.codeDeliveryDetails.deliveryMedium, begun.nextStep.codeDeliveryDetails.attributeName], ['EMAIL', 'email']);
assert.match(begun.nextStep.codeDeliveryDetails.destination, /^.\*+@/);
assert.match(await refused(signUp({ username, password, options: { userAttributes: { email: username, name: 'Emma' } } })), /^UsernameExistsException: /);
assert.equal((await signIn({ username, password })).nextStep.signInStep, 'CONFIRM_SIGN_UP');
const code = await ask({ ask: 'code', user: username, purpose: 'sign-up' });
const wrong = code === '000000' ? '000001' : '000000';
assert.match(await refused(confirmSignUp({ username, confirmationCode: wrong })), /^CodeMismatchException: /);
assert.equal((await confirmSignUp({ username, confirmationCode: code })).nextStep.signUpStep, 'DONE');

step('sign-in');
assert.equal(await refused(signIn({ username, password: secret('Wrong-Horse-9 Battery') })), 'NotAuthorizedException: Incorrect username or password.');
assert.equal(await refused(signIn({ username: 'nobody@example.com', password })), 'NotAuthorizedException: Incorrect username or password.');
assert.deepEqual(await signIn({ username, password }), { isSignedIn: true, nextStep: { signInStep: 'DONE' } });
const first = await session();
const { userId } = await getCurrentUser();
assert.equal(userId, begun.userId);
assert.equal(first.userSub, userId);
assert.match(first.identityId, /^eu-west-1:[0-9a-f-]{36}$/);
assert.ok(first.credentials.expiration > new Date());
assert.deepEqual(await fetchUserAttributes(), { sub: userId, email: username, email_verified: 'true', name: 'Emma Ünïcode' });
await updateUserAttribute({ userAttribute: { attributeKey: 'name', value: 'Emma' } });
assert.equal((await fetchUserAttributes()).name, 'Emma');

step('tokens are what they say');
const { iss } = first.tokens.idToken.payload;
assert.ok(iss.endsWith('/' + pools.userPoolId), iss);
const keys = iss + '/.well-known/jwks.json';
const { payload } = await jwtVerify(String(first.tokens.idToken), createRemoteJWKSet(new URL(keys)), { issuer: iss, audience: pools.userPoolClientId, algorithms: ['RS256'] });
assert.deepEqual([payload.sub, payload.token_use, payload.email, payload.email_verified, payload['cognito:username'], payload['cognito:groups']], [userId, 'id', username, true, userId, undefined]);
const verifier = JwtVerifier.create({ issuer: iss, audience: null, jwksUri: keys });
verifier.cacheJwks(await (await fetch(keys)).json());
const access = verifier.verifySync(String(first.tokens.accessToken));
assert.deepEqual([access.sub, access.token_use, access.client_id, access.scope], [userId, 'access', pools.userPoolClientId, 'aws.cognito.signin.user.admin']);
assert.equal((await (await fetch(iss + '/.well-known/openid-configuration')).json()).jwks_uri, keys);

step('signed calls of a user, by path and method');
const { identity } = await allows('GET', '/books');
const provider = `cognito-idp.eu-west-1.amazonaws.com/${pools.userPoolId}`;
assert.deepEqual(
  [identity.cognitoAuthenticationType, identity.cognitoIdentityId, identity.cognitoIdentityPoolId, identity.cognitoAuthenticationProvider, identity.accessKey],
  ['authenticated', first.identityId, pools.identityPoolId, `${provider},${provider}:CognitoSignIn:${userId}`, first.credentials.accessKeyId]);
assert.match(identity.userArn, /^arn:aws:sts::\d{12}:assumed-role\/.+\/CognitoIdentityCredentials$/);
assert.match(identity.user, /:CognitoIdentityCredentials$/);
assert.equal(identity.caller, identity.user);
for (const [method, path] of [['HEAD', '/books'], ['POST', '/books'], ['PUT', '/books'], ['PATCH', '/books'], ['GET', '/books/978-1'], ['DELETE', '/notes/1'], ['GET', '/notes'], ['POST', '/open']]) {
  await allows(method, path);
}
for (const [method, path] of [['DELETE', '/books'], ['POST', '/books/978-1'], ['PUT', '/books/978-1'], ['DELETE', '/books/978-1'], ['GET', '/staff'], ['GET', '/staff/a/b']]) {
  await refuses(method, path);
}
assert.equal((await allows('GET', '/books/978-1')).pathParameters.isbn, '978-1');

step('odd paths and query strings');
for (const path of ['/notes/a b', '/notes/é', '/notes/日本/語', '/notes/a%2Fb', '/notes/a+b', '/notes/a%20b', '/notes/%21%27%28%29%2A~-._', '/notes/a:b@c;d,e=f&g$h', '/notes/%25', '/notes/a%3Fb', '/notes/😀']) {
  const sent = new URL(shop.endpoint + path).pathname.slice(new URL(shop.endpoint).pathname.length);
  assert.equal((await allows('GET', path)).path, sent);
  assert.equal((await allows('POST', path)).path, sent);
}
// The library does not sign these characters as API Gateway requires, so the cloud refuses them
// too (see sandbox/signature).
assert.match((await call('GET', "/notes/it's(1)!*")).said, /^{"message":"The request signature we calculated does not match the signature you provided\./);
for (const [query, seen] of [
  [{ limit: '10' }, { limit: ['10'] }], [{ 'a b(c)*': "!'~ +&=%2F/?#[]@:;,$" }, { 'a b(c)*': ["!'~ +&=%2F/?#[]@:;,$"] }], [{ é: '日本', '😀': '' }, { é: ['日本'], '😀': [''] }],
  [{ B: '1', a: '2', A: '3', b: '4' }, { B: ['1'], a: ['2'], A: ['3'], b: ['4'] }],
]) {
  assert.deepEqual((await allows('GET', '/notes', { queryParams: query })).query, seen);
}
assert.deepEqual((await allows('GET', '/notes?b=2&a=1&b=1')).query, { a: ['1'], b: ['2', '1'] });

step('a forced refresh');
const next = await session({ forceRefresh: true });
assert.notEqual(next.tokens.idToken.payload.jti, first.tokens.idToken.payload.jti);
assert.equal(next.tokens.idToken.payload.origin_jti, first.tokens.idToken.payload.origin_jti);
assert.equal(next.tokens.idToken.payload.name, 'Emma');
assert.notEqual(next.credentials.accessKeyId, first.credentials.accessKeyId);
assert.equal(next.identityId, first.identityId);
await allows('POST', '/books');

step('the id token by hand');
for (const authorization of [String(next.tokens.idToken), `Bearer ${next.tokens.idToken}`]) {
  assert.equal((await allows('GET', '/notes', { headers: { Authorization: authorization } })).authorizer.claims.sub, userId);
  await refuses('GET', '/staff', { headers: { Authorization: authorization } });
}
assert.equal((await call('GET', '/notes', { headers: { Authorization: String(next.tokens.accessToken) } })).status, 401, 'an access token is no id token');

step('a group');
await ask({ ask: 'group', user: username, group: 'Admins' });
await refuses('DELETE', '/books');
const member = await session({ forceRefresh: true });
assert.deepEqual(member.tokens.idToken.payload['cognito:groups'], ['Admins']);
await allows('DELETE', '/books');
await allows('GET', '/staff/a/b');
await allows('POST', '/notes');
// The path names the group, so only the entry of the group counts, which allows less.
await refuses('POST', '/books');
assert.match((await allows('GET', '/staff')).identity.userArn, /AdminsGroupRole\/CognitoIdentityCredentials$/);

step('another password');
const old = password;
password = secret('Left-Horse-8 Battery');
assert.match(await refused(updatePassword({ oldPassword: secret('Wrong-Horse-7 Battery'), newPassword: password })), /^NotAuthorizedException: /);
await updatePassword({ oldPassword: old, newPassword: password });
await signOut();
assert.match(await refused(signIn({ username, password: old })), /^NotAuthorizedException: /);
assert.equal((await signIn({ username, password })).isSignedIn, true);
const everywhere = await session();
await signOut({ global: true });
assert.equal((await asks('GetUser', { AccessToken: String(everywhere.tokens.accessToken) })).message, 'Access Token has been revoked');
assert.equal((await signed('GET', '/notes', everywhere.credentials)).status, 403);

step('a password that was forgotten');
const reset = await resetPassword({ username });
assert.equal(reset.nextStep.resetPasswordStep, 'CONFIRM_RESET_PASSWORD_WITH_CODE');
const newPassword = secret('Third-Horse-7 Battery');
const confirmationCode = await ask({ ask: 'code', user: username, purpose: 'password reset' });
assert.match(await refused(confirmResetPassword({ username, newPassword: 'weak', confirmationCode })), /^InvalidPasswordException: /);
await confirmResetPassword({ username, newPassword, confirmationCode });
assert.match(await refused(signIn({ username, password })), /^NotAuthorizedException: /);
password = newPassword;
assert.equal((await signIn({ username, password, options: { authFlowType: 'USER_PASSWORD_AUTH' } })).isSignedIn, true);
await session();

step('a second factor');
const { sharedSecret } = await setUpTOTP();
assert.match(await refused(verifyTOTPSetup({ code: totp(sharedSecret, 100) })), /^EnableSoftwareTokenMFAException: /);
await verifyTOTPSetup({ code: totp(sharedSecret, 0) });
await updateMFAPreference({ totp: 'PREFERRED' });
await signOut();
assert.equal((await signIn({ username, password })).nextStep.signInStep, 'CONFIRM_SIGN_IN_WITH_TOTP_CODE');
assert.match(await refused(confirmSignIn({ challengeResponse: totp(sharedSecret, 100) })), /^(CodeMismatchException|NotAuthorizedException): /);
assert.match(await refused(getCurrentUser()), /^UserUnAuthenticatedException: /);
await signIn({ username, password });
// The present code was used above.
assert.equal((await confirmSignIn({ challengeResponse: totp(sharedSecret, 1) })).isSignedIn, true);

step('sign-out');
const last = await session();
const lastRefresh = refreshToken();
assert.equal((await signed('GET', '/notes', last.credentials)).status, 200);
assert.equal((await fetch(shop.endpoint + '/notes', { headers: { authorization: String(last.tokens.idToken) } })).status, 200);
assert.equal((await asks('GetUser', { AccessToken: String(last.tokens.accessToken) })).status, 200);
await signOut();
assert.equal((await signed('GET', '/notes', last.credentials)).status, 403);
assert.equal((await fetch(shop.endpoint + '/notes', { headers: { authorization: String(last.tokens.idToken) } })).status, 401);
const over = await asks('GetUser', { AccessToken: String(last.tokens.accessToken) });
assert.deepEqual([over.status, over.__type, over.message], [400, 'NotAuthorizedException', 'Access Token has been revoked']);
const ended = await asks('GetTokensFromRefreshToken', { RefreshToken: lastRefresh, ClientId: pools.userPoolClientId });
assert.deepEqual([ended.status, ended.__type, ended.message], [400, 'NotAuthorizedException', 'Refresh Token has been revoked']);
assert.match(await refused(getCurrentUser()), /^UserUnAuthenticatedException: /);
await allows('GET', '/books');
await refuses('GET', '/notes');

step('done');
process.exit(0);
