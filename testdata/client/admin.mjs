// A server's use of the AWS SDK: it administers the users of the pool at the address of the
// sandbox, with any credentials.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  AdminAddUserToGroupCommand, AdminConfirmSignUpCommand, AdminCreateUserCommand, AdminDeleteUserCommand, AdminDisableUserCommand, AdminEnableUserCommand,
  AdminGetUserCommand, AdminListGroupsForUserCommand, AdminRemoveUserFromGroupCommand, AdminSetUserPasswordCommand, CognitoIdentityProviderClient,
  DescribeUserPoolCommand, InitiateAuthCommand, ListGroupsCommand, ListUsersCommand, ListUsersInGroupCommand, RespondToAuthChallengeCommand, SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider';

const [, , address, file] = process.argv;
const { auth } = JSON.parse(readFileSync(file, 'utf8'));
const UserPoolId = auth.user_pool_id;
const ClientId = auth.user_pool_client_id;
const step = (name) => console.log(JSON.stringify({ step: name }));
const secret = (text) => {
  console.log(JSON.stringify({ secret: text }));
  return text;
};
const client = new CognitoIdentityProviderClient({
  region: 'eu-west-1', endpoint: address, credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
const does = (Command, input) => client.send(new Command(input));
const refused = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return error.name;
  }
  return 'nothing is refused';
};

step('a user with a temporary password');
const Username = 'mary@example.com';
const temporary = secret('Temporary-Horse-1');
const made = await does(AdminCreateUserCommand, {
  UserPoolId, Username, TemporaryPassword: temporary, MessageAction: 'SUPPRESS',
  UserAttributes: [{ Name: 'email', Value: Username }, { Name: 'email_verified', Value: 'true' }, { Name: 'name', Value: 'Mary' }],
});
assert.equal(made.User.UserStatus, 'FORCE_CHANGE_PASSWORD');
assert.ok(made.User.UserCreateDate instanceof Date && Math.abs(Date.now() - made.User.UserCreateDate) < 600_000, String(made.User.UserCreateDate));
assert.equal(await refused(does(AdminCreateUserCommand, { UserPoolId, Username })), 'UsernameExistsException');
const challenge = await does(InitiateAuthCommand, { AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: { USERNAME: Username, PASSWORD: temporary } });
assert.equal(challenge.ChallengeName, 'NEW_PASSWORD_REQUIRED');
const answered = await does(RespondToAuthChallengeCommand, {
  ClientId, ChallengeName: challenge.ChallengeName, Session: challenge.Session, ChallengeResponses: { USERNAME: challenge.ChallengeParameters.USER_ID_FOR_SRP, NEW_PASSWORD: secret('Lasting-Horse-2') },
});
assert.equal(answered.AuthenticationResult.TokenType, 'Bearer');
secret(answered.AuthenticationResult.AccessToken);
secret(answered.AuthenticationResult.RefreshToken);

step('passwords and status');
await does(AdminSetUserPasswordCommand, { UserPoolId, Username, Password: secret('Settled-Horse-3'), Permanent: true });
assert.equal(await refused(does(AdminSetUserPasswordCommand, { UserPoolId, Username, Password: 'weak', Permanent: true })), 'InvalidPasswordException');
const signsIn = () => does(InitiateAuthCommand, { AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: { USERNAME: Username, PASSWORD: 'Settled-Horse-3' } });
secret((await signsIn()).AuthenticationResult.IdToken);
const found = await does(AdminGetUserCommand, { UserPoolId, Username });
assert.deepEqual([found.UserStatus, found.Enabled, found.UserAttributes.find(({ Name }) => Name === 'name').Value], ['CONFIRMED', true, 'Mary']);
await does(AdminDisableUserCommand, { UserPoolId, Username });
assert.equal(await refused(signsIn()), 'NotAuthorizedException');
await does(AdminEnableUserCommand, { UserPoolId, Username });
await signsIn();
await does(SignUpCommand, { ClientId, Username: 'paul@example.com', Password: secret('Signed-Up-Horse-4'), UserAttributes: [{ Name: 'email', Value: 'paul@example.com' }, { Name: 'name', Value: 'Paul' }] });
await does(AdminConfirmSignUpCommand, { UserPoolId, Username: 'paul@example.com' });

step('groups and lists');
await does(AdminAddUserToGroupCommand, { UserPoolId, Username, GroupName: 'Admins' });
assert.deepEqual((await does(AdminListGroupsForUserCommand, { UserPoolId, Username })).Groups.map((group) => group.GroupName), ['Admins']);
assert.deepEqual((await does(ListUsersInGroupCommand, { UserPoolId, GroupName: 'Admins' })).Users.map((user) => user.Username), [made.User.Username]);
await does(AdminRemoveUserFromGroupCommand, { UserPoolId, Username, GroupName: 'Admins' });
assert.deepEqual((await does(AdminListGroupsForUserCommand, { UserPoolId, Username })).Groups, []);
assert.deepEqual((await does(ListGroupsCommand, { UserPoolId })).Groups.map((group) => group.GroupName), ['Admins']);
assert.equal((await does(ListUsersCommand, { UserPoolId })).Users.length, 2);
assert.deepEqual((await does(ListUsersCommand, { UserPoolId, Filter: 'email ^= "ma"' })).Users.map((user) => user.Username), [made.User.Username]);
const described = (await does(DescribeUserPoolCommand, { UserPoolId })).UserPool;
assert.deepEqual([described.Id, described.Policies.PasswordPolicy.MinimumLength, described.UsernameAttributes], [UserPoolId, 10, ['email']]);
await does(AdminDeleteUserCommand, { UserPoolId, Username });
assert.equal(await refused(does(AdminGetUserCommand, { UserPoolId, Username })), 'UserNotFoundException');

step('without a signature, or from a page, nobody administers');
const asks = async (url, headers) => {
  const response = await fetch(url, {
    method: 'POST', body: JSON.stringify({ UserPoolId }),
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers', ...headers },
  });
  return { status: response.status, origin: response.headers.get('access-control-allow-origin'), ...await response.json() };
};
const authorization = 'AWS4-HMAC-SHA256 Credential=any/20260101/eu-west-1/cognito-idp/aws4_request, SignedHeaders=host;x-amz-date, Signature=' + '0'.repeat(64);
assert.equal((await asks(address, { authorization })).status, 200);
for (const [url, headers] of [
  [address, {}], [address, { authorization: 'Bearer x' }], [address, { authorization, origin: 'http://evil.example' }], [address, { authorization, origin: 'null' }],
  [address + '/_user-pool', { authorization }], [address + '/_user-pool', {}],
]) {
  const answer = await asks(url, headers);
  assert.ok(answer.status >= 400 && answer.Users === undefined, `${url} ${JSON.stringify(headers)}: ${JSON.stringify(answer)}`);
  if (url === address) assert.equal(answer.origin, null);
}

step('done');
process.exit(0);
