import { relayReceiver } from '@posrep/relay-receiver/express'
import express from 'express'
import serverless from 'serverless-http'

const receiver = relayReceiver({
  from: 'https://localhost:8443',
  clientParts: ['demo'],
  onReport: (report) => console.log(report.positions.length),
})

export const handler = serverless(express().use('/position-reports', receiver))
