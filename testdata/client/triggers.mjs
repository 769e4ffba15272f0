// A front end whose user pool calls functions: it signs up and signs in with the public client
// library, and administers with the AWS SDK. The function writes down its events.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { confirmResetPassword, confirmSignIn, confirmSignUp, fetchAuthSession, fetchUserAttributes, resetPassword, signIn, signOut, signUp } from 'aws-amplify/auth';
import {
  AdminConfirmSignUpCommand, AdminCreateUserCommand, AdminGetUserCommand, AdminInitiateAuthCommand, CognitoIdentityProviderClient, InitiateAuthCommand,
  RespondToAuthChallengeCommand, SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider';

const [, , address, file, events] = process.argv;
const { auth } = JSON.parse(readFileSync(file, 'utf8'));
const UserPoolId = auth.user_pool_id;
const ClientId = auth.user_pool_client_id;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = async (question) => {
  console.log(JSON.stringify(question));
  return (await lines.next()).value;
};
const step = (name) => console.log(JSON.stringify({ step: name }));
const client = new CognitoIdentityProviderClient({ region: 'eu-west-1', endpoint: address, credentials: { accessKeyId: 'any', secretAccessKey: 'any' } });
const does = (Command, input) => client.send(new Command(input));
const refused = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return 'nothing is refused';
};
// seen are the events that the function got since the last call.
let read = 0;
const seen = () => {
  const all = readFileSync(events, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const fresh = all.slice(read);
  read = all.length;
  return fresh;
};
const sources = (list) => list.map(({ triggerSource }) => triggerSource).join(' ');
const password = 'Correct-horse 7';
const attributes = (Username) => [{ Name: 'email', Value: Username }];

step('the function refuses a sign-up');
assert.equal(await refused(signUp({ username: 'eve@blocked.example', password, options: { userAttributes: { email: 'eve@blocked.example' } } })),
  'UserLambdaValidationException: PreSignUp failed with error blocked.example is not welcome.');
assert.equal(await refused(does(AdminGetUserCommand, { UserPoolId, Username: 'eve@blocked.example' })), 'UserNotFoundException: User does not exist.');
assert.equal(await refused(does(SignUpCommand, { ClientId, Username: 'nothing@example.com', Password: password })), 'InvalidLambdaResponseException: Unrecognizable lambda output');
seen();

step('a sign-up with a message of the function, and a confirmation');
const ada = 'ada@example.com';
await signUp({ username: ada, password, options: { userAttributes: { email: ada }, validationData: { ticket: '7' }, clientMetadata: { from: 'page' } } });
let [before, message] = seen();
assert.equal(before.triggerSource, 'PreSignUp_SignUp');
assert.deepEqual([before.version, before.region, before.userPoolId, before.callerContext.clientId], ['1', 'eu-west-1', UserPoolId, ClientId]);
assert.deepEqual(before.request, { userAttributes: { email: ada }, validationData: { ticket: '7' }, clientMetadata: { from: 'page' } });
assert.deepEqual(before.response, { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false });
assert.equal(message.triggerSource, 'CustomMessage_SignUp');
assert.equal(message.request.codeParameter, '{####}');
assert.deepEqual([message.request.userAttributes['cognito:user_status'], message.request.userAttributes.email_verified], ['UNCONFIRMED', 'false']);
await confirmSignUp({ username: ada, confirmationCode: await ask({ ask: 'code', purpose: 'sign-up', user: ada }), options: { clientMetadata: { plan: 'free' } } });
const [confirmed] = seen();
assert.equal(confirmed.triggerSource, 'PostConfirmation_ConfirmSignUp');
assert.equal(confirmed.userName, before.userName);
assert.deepEqual(confirmed.request.clientMetadata, { plan: 'free' });
assert.deepEqual([confirmed.request.userAttributes.sub, confirmed.request.userAttributes['cognito:user_status'], confirmed.request.userAttributes.email_verified], [confirmed.userName, 'CONFIRMED', 'true']);

step('sign-in, with claims of the function and the group that it added');
await signIn({ username: ada, password, options: { clientMetadata: { device: 'phone' } } });
const order = seen();
assert.equal(sources(order), 'PreAuthentication_Authentication PostAuthentication_Authentication TokenGeneration_Authentication');
assert.deepEqual(order[0].request.validationData, { device: 'phone' });
assert.equal(order[0].request.userNotFound, false);
assert.equal(order[1].request.newDeviceUsed, false);
assert.equal(order[2].version, '2');
assert.deepEqual(order[2].request.scopes, ['aws.cognito.signin.user.admin']);
assert.deepEqual(order[2].request.groupConfiguration.groupsToOverride, ['Members']);
const { tokens } = await fetchAuthSession();
assert.equal(tokens.idToken.payload.tenant, 'blue');
assert.equal(tokens.idToken.payload.email, undefined);
assert.deepEqual(tokens.idToken.payload['cognito:groups'], ['Members']);
assert.deepEqual(tokens.accessToken.payload.roles, ['reader', 'writer']);
assert.equal(tokens.accessToken.payload.scope, 'aws.cognito.signin.user.admin shop/read');
assert.equal(tokens.accessToken.payload.sub, confirmed.userName);
assert.equal((await fetchUserAttributes()).email, ada);
await fetchAuthSession({ forceRefresh: true });
assert.equal(sources(seen()), 'TokenGeneration_RefreshTokens');
await signOut();
assert.equal(await refused(signIn({ username: ada, password: 'wrong' })), 'NotAuthorizedException: Incorrect username or password.');
assert.equal(sources(seen()), 'PreAuthentication_Authentication');
assert.equal(await refused(signIn({ username: 'nobody@example.com', password })), 'NotAuthorizedException: Incorrect username or password.');
assert.deepEqual(seen().map(({ request }) => request.userNotFound), [true]);
const entering = (name) => does(InitiateAuthCommand, { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: name, PASSWORD: password }, ClientMetadata: { deny: 'yes' } });
assert.equal(await refused(entering(ada)), 'UserLambdaValidationException: PreAuthentication failed with error not now.');

step('a user is confirmed by the function');
seen();
const auto = await does(SignUpCommand, { ClientId, Username: 'auto@example.com', Password: password, UserAttributes: attributes('auto@example.com') });
assert.equal(auto.UserConfirmed, true);
assert.equal(auto.CodeDeliveryDetails, undefined);
assert.equal(sources(seen()), 'PreSignUp_SignUp PostConfirmation_ConfirmSignUp');
const known = await does(AdminGetUserCommand, { UserPoolId, Username: 'auto@example.com' });
assert.deepEqual([known.UserStatus, known.UserAttributes.find(({ Name }) => Name === 'email_verified').Value], ['CONFIRMED', 'true']);

step('an administrator adds and confirms users');
await does(AdminCreateUserCommand, { UserPoolId, Username: 'mary@example.com', TemporaryPassword: password, UserAttributes: attributes('mary@example.com'), ValidationData: [{ Name: 'by', Value: 'desk' }] });
const [added, invited] = seen();
assert.deepEqual([added.triggerSource, added.callerContext.clientId, added.request.validationData], ['PreSignUp_AdminCreateUser', 'CLIENT_ID_NOT_APPLICABLE', { by: 'desk' }]);
assert.deepEqual([invited.triggerSource, invited.request.usernameParameter], ['CustomMessage_AdminCreateUser', '{username}']);
assert.equal((await does(AdminGetUserCommand, { UserPoolId, Username: 'mary@example.com' })).UserStatus, 'FORCE_CHANGE_PASSWORD');
const asked = await does(AdminInitiateAuthCommand, { UserPoolId, ClientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'mary@example.com', PASSWORD: password } });
seen();
const renewed = await does(RespondToAuthChallengeCommand, { ClientId, ChallengeName: asked.ChallengeName, Session: asked.Session, ChallengeResponses: { USERNAME: 'mary@example.com', NEW_PASSWORD: 'Other-horse 8' }, ClientMetadata: { step: 'two' } });
assert.equal(renewed.AuthenticationResult.TokenType, 'Bearer');
const after = seen();
assert.equal(sources(after), 'PostAuthentication_Authentication TokenGeneration_NewPasswordChallenge');
assert.deepEqual(after.map(({ request }) => request.clientMetadata), [{ step: 'two' }, { step: 'two' }]);
await does(SignUpCommand, { ClientId, Username: 'ben@example.com', Password: password, UserAttributes: attributes('ben@example.com') });
seen();
await does(AdminConfirmSignUpCommand, { UserPoolId, Username: 'ben@example.com' });
assert.equal(sources(seen()), 'PostConfirmation_ConfirmSignUp');

step('challenges of the function, without a password');
const first = await signIn({ username: ada, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
assert.equal(first.nextStep.signInStep, 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
assert.deepEqual(first.nextStep.additionalInfo, { question: 'the year?', USERNAME: confirmed.userName });
const again = await confirmSignIn({ challengeResponse: '1999' });
assert.equal(again.nextStep.signInStep, 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
const ended = await confirmSignIn({ challengeResponse: '1984', options: { clientMetadata: { try: '2' } } });
assert.equal(ended.isSignedIn, true);
const rounds = seen();
assert.equal(sources(rounds), [
  'PreAuthentication_Authentication', 'DefineAuthChallenge_Authentication', 'CreateAuthChallenge_Authentication', 'VerifyAuthChallengeResponse_Authentication',
  'DefineAuthChallenge_Authentication', 'CreateAuthChallenge_Authentication', 'VerifyAuthChallengeResponse_Authentication', 'DefineAuthChallenge_Authentication',
  'PostAuthentication_Authentication', 'TokenGeneration_Authentication',
].join(' '));
assert.deepEqual(rounds[1].request.session, []);
assert.deepEqual(rounds[3].request.privateChallengeParameters, { answer: '1984' });
assert.deepEqual([rounds[3].request.challengeAnswer, rounds[6].request.challengeAnswer], ['1999', '1984']);
assert.deepEqual(rounds[7].request.session, [
  { challengeName: 'CUSTOM_CHALLENGE', challengeResult: false, challengeMetadata: 'YEAR' }, { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'YEAR' },
]);
assert.deepEqual(rounds[7].request.clientMetadata, { try: '2' });
await signOut();

step('challenges of the function, after the password');
const proven = await signIn({ username: ada, password, options: { authFlowType: 'CUSTOM_WITH_SRP' } });
assert.equal(proven.nextStep.signInStep, 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
const defined = seen().filter(({ triggerSource }) => triggerSource.startsWith('Define'));
assert.deepEqual(defined.map(({ request }) => request.session.map(({ challengeName, challengeResult }) => `${challengeName} ${challengeResult}`)), [['SRP_A true'], ['SRP_A true', 'PASSWORD_VERIFIER true']]);
assert.equal((await confirmSignIn({ challengeResponse: '1984' })).isSignedIn, true);
await signOut();
assert.equal(await refused(signIn({ username: ada, password: 'wrong', options: { authFlowType: 'CUSTOM_WITH_SRP' } })), 'NotAuthorizedException: Incorrect username or password.');

step('challenges that are not passed');
for (const username of [ada, 'nobody@example.com']) {
  await signIn({ username, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
  await confirmSignIn({ challengeResponse: '1' });
  await confirmSignIn({ challengeResponse: '2' });
  assert.equal(await refused(confirmSignIn({ challengeResponse: '3' })), 'NotAuthorizedException: Incorrect username or password.');
}
const nobody = await does(InitiateAuthCommand, { ClientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: 'nobody@example.com' } });
assert.equal(nobody.ChallengeName, 'CUSTOM_CHALLENGE');
const answer = (ANSWER) => does(RespondToAuthChallengeCommand, { ClientId, ChallengeName: nobody.ChallengeName, Session: nobody.Session, ChallengeResponses: { USERNAME: 'nobody@example.com', ANSWER } });
assert.equal(await refused(answer('1984')), 'NotAuthorizedException: Incorrect username or password.');
assert.equal(await refused(answer('1984')), 'NotAuthorizedException: Invalid session for the user.');

step('users come from elsewhere');
seen();
const old = 'old@example.com';
assert.equal((await signIn({ username: old, password: 'Brought-along 9', options: { authFlowType: 'USER_PASSWORD_AUTH' } })).isSignedIn, true);
const [moved] = seen();
assert.deepEqual([moved.triggerSource, moved.userName, moved.request.password], ['UserMigration_Authentication', old, 'Brought-along 9']);
await signOut();
assert.equal((await signIn({ username: old, password: 'Brought-along 9' })).isSignedIn, true);
await signOut();
assert.ok(!sources(seen()).includes('UserMigration'));
assert.equal(await refused(signIn({ username: 'older@example.com', password: 'not the one', options: { authFlowType: 'USER_PASSWORD_AUTH' } })), 'UserLambdaValidationException: UserMigration failed with error Bad password.');
const forgetful = 'forgot-old@example.com';
await resetPassword({ username: forgetful });
assert.equal(sources(seen()), 'UserMigration_Authentication UserMigration_ForgotPassword CustomMessage_ForgotPassword');
await confirmResetPassword({ username: forgetful, newPassword: 'Fresh-horse 10', confirmationCode: await ask({ ask: 'code', purpose: 'password reset', user: forgetful }) });
assert.equal(sources(seen()), 'PostConfirmation_ConfirmForgotPassword');
assert.equal((await signIn({ username: forgetful, password: 'Fresh-horse 10' })).isSignedIn, true);
await signOut();

step('done');
process.exit(0);
